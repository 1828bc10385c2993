'use client';
import { ChevronDown } from 'lucide-react';
import { Button } from '@/components/ui/controls/button';
import { Menu, MenuContent, MenuItem, MenuLabel, MenuTrigger } from '@/components/ui/overlays/dropdown-menu';
import { missingPermissionMessage, useMayForSome, usePermits } from '@/lib/browser/access/use-permissions';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { DESTRUCTIVE, KIND_STATES, OPERATION_KINDS } from '@/lib/contract/operations/operation-kinds';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';

/** Operations on all listed jobs. A recall is not offered: it only undoes a re-drive. */
export function JobsOperationMenu({
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
  const ask = useOperationWizard();
  const may = usePermits();
  const kinds = OPERATION_KINDS.filter(
    (kind) => kind !== 'recall' && KIND_STATES[kind].includes(state) && may(operationPermission(kind)),
  );
  const some = useMayForSome(queue);
  const [gentle, harsh] = [
    kinds.filter((kind) => !DESTRUCTIVE.has(kind)),
    kinds.filter((kind) => DESTRUCTIVE.has(kind)),
  ];
  if (kinds.length === 0) return null;
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button size="sm" disabled={disabled}>
          {q === '' ? 'All jobs' : 'All matches'}
          <ChevronDown aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent>
        <MenuLabel>
          {q === '' ? `All ${state} jobs of ${queue}` : `All ${state} jobs of ${queue} that match the query`}
        </MenuLabel>
        {[...gentle, ...harsh].map((kind) => (
          <MenuItem
            key={kind}
            destructive={DESTRUCTIVE.has(kind)}
            blocked={
              some(operationPermission(kind))
                ? null
                : missingPermissionMessage(operationPermission(kind), queue)
            }
            onSelect={() => ask({ kind, scope: { state, q, queue } })}
          >
            {KIND_LABELS[kind].verb}…
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}
