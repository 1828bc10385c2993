'use client';
import { useState } from 'react';
import { useDialog } from '@/components/shared/use-dialog';
import { Button, type ButtonProps } from '@/components/ui/controls/button';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Ban, Check, type Icon, Pause, Play, Undo2, X } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { toast } from '@/components/ui/overlays/toast';
import { useMe } from '@/lib/browser/access/use-me';
import { useMay, usePermits } from '@/lib/browser/access/use-permissions';
import { useServerNow } from '@/lib/browser/live/live-provider';
import { useOperationAction } from '@/lib/browser/use-operations';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import type { Operation } from '@/lib/contract/operations/operation';
import type { OperationAction } from '@/lib/contract/operations/operation-kinds';
import { isBadResult } from '@/lib/contract/operations/operation-result';
import { availableActions, canUndo, undoLabel } from './labels';

const ActionDialog = lazyPart(() => import('./action-dialogs').then((module) => module.ActionDialog));
export const UndoDialog = lazyPart(() => import('./action-dialogs').then((module) => module.UndoDialog));

const SPECS: Readonly<
  Record<OperationAction, { label: string; done: string; Icon: Icon; variant?: ButtonProps['variant'] }>
> = {
  pause: { label: 'Pause', done: 'Paused', Icon: Pause },
  resume: { label: 'Resume', done: 'Resumed', Icon: Play, variant: 'primary' },
  cancel: { label: 'Cancel…', done: 'Cancelled', Icon: Ban },
  approve: { label: 'Approve…', done: 'Approved and started', Icon: Check, variant: 'primary' },
  reject: { label: 'Reject…', done: 'Rejected', Icon: X },
};
/** Pausing is one click; a final action, an approval, or going on after jobs died again asks first. */
const DIALOGS = ['cancel', 'approve', 'reject', 'resume'] as const satisfies readonly OperationAction[];
type Confirmed = (typeof DIALOGS)[number];
const isConfirmed = (action: OperationAction, operation: Operation): action is Confirmed =>
  action === 'resume' ? isBadResult(operation) : DIALOGS.some((one) => one === action);
/** These need the permission of the operation's kind; stopping needs `operate` only. */
const RESUMING: ReadonlySet<OperationAction> = new Set(['resume', 'approve']);

/** Buttons for the actions its status and the user's permissions allow. */
export function ActionButtons({
  operation,
  icons = false,
}: {
  operation: Operation;
  /** Icons only, where there is little room. Their dialogs are in the address of the operation's own page. */
  icons?: boolean;
}) {
  const { mutate, isPending, variables } = useOperationAction();
  const me = useMe().data?.name;
  // Users cannot approve or reject their own operation; they withdraw it.
  const own = operation.actor === me;
  const may = usePermits();
  const offered = availableActions(operation).filter(
    (action) =>
      may(RESUMING.has(action) ? operationPermission(operation.kind) : 'operate') &&
      (!own || (action !== 'approve' && action !== 'reject')),
  );
  const [linked, link] = useDialog(icons ? [] : DIALOGS, (action) => offered.includes(action), operation.id);
  const [local, setLocal] = useState<Confirmed | null>(null);
  const [asked, setAsked] = icons ? [local, setLocal] : [linked, link];
  const act = (action: OperationAction) => {
    if (isConfirmed(action, operation)) return setAsked(action);
    mutate(
      { id: operation.id, action },
      {
        onError: ({ detail }) => toast.error(`Could not ${action} the operation`, { description: detail }),
      },
    );
  };
  return (
    <>
      {offered.map((action) => {
        const { Icon, variant, ...spec } = SPECS[action];
        const asks = action === 'resume' && isConfirmed(action, operation);
        const label = asks ? `${spec.label}…` : spec.label;
        const props = { pending: isPending && variables?.action === action, onClick: () => act(action) };
        return icons ? (
          <IconButton key={action} size="sm" label={label} {...props}>
            <Icon aria-hidden />
          </IconButton>
        ) : (
          <Button key={action} variant={variant} {...props}>
            <Icon aria-hidden />
            {label}
          </Button>
        );
      })}
      {asked && (
        <ActionDialog
          operation={operation}
          action={asked}
          done={SPECS[asked].done}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

const UNDO = ['undo'] as const;

/** Undoes an operation, whole or limited by a query, by starting another one. Its dialog is in the address of the operation's own page. */
export function UndoButton({ operation, size = 'md' }: { operation: Operation; size?: 'sm' | 'md' }) {
  const now = useServerNow(5_000);
  const may = useMay(operation.undo ? operationPermission(operation.undo.kind) : 'operate');
  const isOffered = may && canUndo(operation, now);
  const isSmall = size === 'sm';
  const [linked, link] = useDialog(isSmall ? [] : UNDO, () => isOffered, operation.id);
  const [local, setLocal] = useState<'undo' | null>(null);
  const [open, setOpen] = isSmall ? [local, setLocal] : [linked, link];
  if (!may || !operation.undo || (!open && !canUndo(operation, now))) return null;
  return (
    <>
      <Button size={size} className="justify-self-start" onClick={() => setOpen('undo')}>
        <Undo2 aria-hidden />
        {undoLabel(operation, now)}
      </Button>
      {open && <UndoDialog operation={operation} undo={operation.undo} onClose={() => setOpen(null)} />}
    </>
  );
}
