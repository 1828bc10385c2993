'use client';
import { ChevronDown } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/dropdown-menu';
import { useAskOperation } from '@/lib/client/ask-operation';
import { usePermits } from '@/lib/client/permissions';
import { kindPermission } from '@/lib/contract/action-permissions';
import { DESTRUCTIVE, OPERATION_KINDS, type OperationKind } from '@/lib/contract/operations';
import { KindWord } from './operation-status';

/** Every kind a person starts here; `recall` comes from undoing a re-drive, and a queue is deleted on the page of its settings. */
const KINDS = OPERATION_KINDS.filter((kind) => kind !== 'recall' && kind !== 'delete-queue');
const SAFE = KINDS.filter((kind) => !DESTRUCTIVE.has(kind));
const TAKES = KINDS.filter((kind) => DESTRUCTIVE.has(kind));

/** Starts anywhere: the wizard asks which jobs, in any state that fits the kind. */
export function NewOperation() {
  const ask = useAskOperation();
  const may = usePermits();
  const [safe, takes] = [SAFE, TAKES].map((kinds) => kinds.filter((kind) => may(kindPermission(kind))));
  const item = (kind: OperationKind) => (
    <MenuItem key={kind} destructive={DESTRUCTIVE.has(kind)} onSelect={() => ask({ kind, scope: null })}>
      <KindWord kind={kind} />
    </MenuItem>
  );
  if (!safe?.length && !takes?.length) return null;
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button>
          New operation
          <ChevronDown aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent>
        {safe?.map(item)}
        {safe?.length && takes?.length ? <MenuSeparator /> : null}
        {takes?.map(item)}
      </MenuContent>
    </Menu>
  );
}
