'use client';
import { ChevronDown } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from '@/components/ui/dropdown-menu';
import { useAskOperation } from '@/lib/client/ask-operation';
import { missingWords, useMaySome, usePermits } from '@/lib/client/permissions';
import { kindPermission } from '@/lib/contract/action-permissions';
import { KIND_WORDS } from '@/lib/contract/operation-words';
import { DESTRUCTIVE, KIND_STATES, OPERATION_KINDS } from '@/lib/contract/operations';
import type { JobState } from '@/lib/contract/states';

/** What can be done at once to everything that is listed, on this page or not. A recall only ever undoes a re-drive. */
export function JobsBulk({
  queue,
  state,
  q,
  disabled,
}: {
  queue: string;
  state: JobState;
  q: string;
  disabled: boolean;
}) {
  const ask = useAskOperation();
  const may = usePermits();
  const kinds = OPERATION_KINDS.filter(
    (kind) => kind !== 'recall' && KIND_STATES[kind].includes(state) && may(kindPermission(kind)),
  );
  const some = useMaySome(queue);
  const [gentle, harsh] = [
    kinds.filter((kind) => !DESTRUCTIVE.has(kind)),
    kinds.filter((kind) => DESTRUCTIVE.has(kind)),
  ];
  if (kinds.length === 0) return null;
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button size="sm" disabled={disabled}>
          {q === '' ? 'All of them' : 'All that match'}
          <ChevronDown aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent>
        <MenuLabel>
          {q === '' ? `Every ${state} job of ${queue}` : `Every ${state} job of ${queue} that matches`}
        </MenuLabel>
        {[...gentle, ...harsh].map((kind) => (
          <MenuItem
            key={kind}
            destructive={DESTRUCTIVE.has(kind)}
            blocked={some(kindPermission(kind)) ? null : missingWords(kindPermission(kind), queue)}
            onSelect={() => ask({ kind, scope: { state, q, queue } })}
          >
            {KIND_WORDS[kind].verb}…
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}
