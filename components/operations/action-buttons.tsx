'use client';
import { Ban, Check, type LucideIcon, Pause, Play, X } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button, type ButtonProps } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { IconButton } from '@/components/ui/icon-button';
import { usePermits } from '@/lib/client/permissions';
import { useMe } from '@/lib/client/use-me';
import { useOperationAction } from '@/lib/client/use-operations';
import { kindPermission } from '@/lib/contract/action-permissions';
import { KIND_WORDS } from '@/lib/contract/operation-words';
import type { Operation, OperationAction } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { visible } from '@/lib/format/text';
import { actionsOf } from './words';

const SPECS: Readonly<
  Record<OperationAction, { label: string; done: string; Icon: LucideIcon; variant?: ButtonProps['variant'] }>
> = {
  pause: { label: 'Pause', done: 'Paused', Icon: Pause },
  resume: { label: 'Resume', done: 'Resumed', Icon: Play, variant: 'primary' },
  cancel: { label: 'Cancel…', done: 'Cancelled', Icon: Ban },
  approve: { label: 'Approve…', done: 'Approved: it runs now', Icon: Check, variant: 'primary' },
  reject: { label: 'Reject…', done: 'Rejected', Icon: X },
};
/** Pausing must be one click; what cannot be taken back, or speaks for a second person, asks first. */
const ASKS: ReadonlySet<OperationAction> = new Set(['cancel', 'approve', 'reject']);
/** To let it go on is to do what it does; to stop it is never more than to operate. */
const GOES_ON: ReadonlySet<OperationAction> = new Set(['resume', 'approve']);

/** What may be done to it now. */
export function ActionButtons({
  operation,
  icons = false,
}: {
  operation: Operation;
  /** Only their icons, where there is little room. */
  icons?: boolean;
}) {
  const [asked, setAsked] = useState<OperationAction | null>(null);
  const { mutate, isPending, variables } = useOperationAction();
  const me = useMe().data?.name;
  // One's own cannot be approved or rejected by oneself: it is withdrawn instead.
  const own = operation.actor === me;
  const may = usePermits();
  const offered = actionsOf(operation).filter(
    (action) =>
      may(GOES_ON.has(action) ? kindPermission(operation.kind) : 'operate') &&
      (!own || (action !== 'approve' && action !== 'reject')),
  );
  const act = (action: OperationAction) => {
    if (ASKS.has(action)) return setAsked(action);
    mutate(
      { id: operation.id, action },
      {
        onError: ({ detail }) =>
          toast.error(`It could not be ${SPECS[action].done.toLowerCase()}`, { description: detail }),
      },
    );
  };
  return (
    <>
      {offered.map((action) => {
        const { label, Icon, variant } = SPECS[action];
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
      {asked && <AskFirst operation={operation} action={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function AskFirst({
  operation,
  action,
  onClose,
}: {
  operation: Operation;
  action: OperationAction;
  onClose: () => void;
}) {
  const { mutate, isPending, error } = useOperationAction();
  const { title, description, confirm } = question(operation, action);
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={description}
      confirmLabel={confirm}
      destructive={action === 'approve'}
      reason={action === 'reject' ? 'required' : 'optional'}
      pending={isPending}
      error={error?.detail}
      onConfirm={({ reason }) =>
        mutate(
          { id: operation.id, action, reason: reason || undefined },
          {
            onSuccess: () => {
              toast.success(SPECS[action].done);
              onClose();
            },
          },
        )
      }
    />
  );
}

function question(operation: Operation, action: OperationAction) {
  const { verb, done, happens } = KIND_WORDS[operation.kind];
  const size = `${operation.estimated ? 'at least ' : ''}${full(operation.expected)}`;
  if (action === 'approve')
    return {
      title: `Approve: ${verb.toLowerCase()} ${size} jobs?`,
      description: `${visible(operation.actor)} asked for it: “${visible(operation.reason)}”. ${happens}`,
      confirm: 'Approve and start',
    };
  if (action === 'reject')
    return {
      title: 'Reject this operation?',
      description: `Nothing of it is done. ${visible(operation.actor)} sees your reason.`,
      confirm: 'Reject it',
    };
  const waiting = operation.status === 'awaiting-approval';
  return {
    title: waiting ? 'Withdraw this operation?' : 'Cancel this operation?',
    description: waiting
      ? 'Nothing of it has been done, and nothing will be.'
      : `The ${full(operation.moved)} ${done} so far stay so; the rest is left as it is. It cannot be continued, only paused ones can.`,
    confirm: waiting ? 'Withdraw it' : 'Cancel the operation',
  };
}
