'use client';
import { Button } from '@/components/ui/controls/button';
import { ChevronDown } from '@/components/ui/icons';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { usePageActions } from '@/components/ui/use-page-actions';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import { DESTRUCTIVE, OPERATION_KINDS, type OperationKind } from '@/lib/contract/operations/operation-kinds';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { KindLabel } from './operation-status';

/** Every kind started here: a recall starts by undoing a re-drive, a queue is deleted in its settings. */
const KINDS = OPERATION_KINDS.filter((kind) => kind !== 'recall' && kind !== 'delete-queue');
const SAFE_KINDS = KINDS.filter((kind) => !DESTRUCTIVE.has(kind));
const DESTRUCTIVE_KINDS = KINDS.filter((kind) => DESTRUCTIVE.has(kind));

/** Starts an operation; the wizard asks for the jobs, in any state that fits the kind. */
export function NewOperation() {
  const openWizard = useOperationWizard();
  const may = usePermits();
  const [safe, destructive] = [SAFE_KINDS, DESTRUCTIVE_KINDS].map((kinds) =>
    kinds.filter((kind) => may(operationPermission(kind))),
  );
  const item = (kind: OperationKind) => (
    <MenuItem
      key={kind}
      destructive={DESTRUCTIVE.has(kind)}
      onSelect={() => openWizard({ kind, scope: null })}
    >
      <KindLabel kind={kind} />
    </MenuItem>
  );
  usePageActions(
    [...(safe ?? []), ...(destructive ?? [])].map((kind) => ({
      label: `New operation: ${KIND_LABELS[kind].verb}…`,
      run: () => openWizard({ kind, scope: null }),
    })),
  );
  if (!safe?.length && !destructive?.length) return null;
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
        {safe?.length && destructive?.length ? <MenuSeparator /> : null}
        {destructive?.map(item)}
      </MenuContent>
    </Menu>
  );
}
