'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { ConfirmWrite } from '@/components/shared/confirm-write';
import { useFilledLink } from '@/components/shared/requests/use-filled';
import { useDialog } from '@/components/shared/use-dialog';
import { Button, type ButtonProps } from '@/components/ui/controls/button';
import { TextField } from '@/components/ui/controls/field';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Ban, Check, type Icon, Pause, Play, Undo2, X } from '@/components/ui/icons';
import { toast } from '@/components/ui/overlays/toast';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useMe } from '@/lib/browser/access/use-me';
import { useMay, usePermits } from '@/lib/browser/access/use-permissions';
import { filledText } from '@/lib/browser/dialog-link';
import { links } from '@/lib/browser/links';
import { useServerNow } from '@/lib/browser/live/live-provider';
import { useOperationAction, useUndoOperation } from '@/lib/browser/use-operations';
import { operationPermission } from '@/lib/contract/access/action-permissions';
import type { Operation } from '@/lib/contract/operations/operation';
import { KIND_EFFECTS } from '@/lib/contract/operations/operation-effects';
import type { OperationAction } from '@/lib/contract/operations/operation-kinds';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { QUERY_MAX_CHARS } from '@/lib/contract/search/query/filter';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { availableActions, canUndo, undoLabel, undoSentence } from './labels';
import { announceStart } from './operation-toasts';

const SPECS: Readonly<
  Record<OperationAction, { label: string; done: string; Icon: Icon; variant?: ButtonProps['variant'] }>
> = {
  pause: { label: 'Pause', done: 'Paused', Icon: Pause },
  resume: { label: 'Resume', done: 'Resumed', Icon: Play, variant: 'primary' },
  cancel: { label: 'Cancel…', done: 'Cancelled', Icon: Ban },
  approve: { label: 'Approve…', done: 'Approved and started', Icon: Check, variant: 'primary' },
  reject: { label: 'Reject…', done: 'Rejected', Icon: X },
};
/** Pausing is one click; a final action or an approval asks first. */
const DIALOGS = ['cancel', 'approve', 'reject'] as const satisfies readonly OperationAction[];
type Confirmed = (typeof DIALOGS)[number];
const isConfirmed = (action: OperationAction): action is Confirmed => DIALOGS.some((one) => one === action);
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
    if (isConfirmed(action)) return setAsked(action);
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
  const { title, description, confirm } = question(operation, action);
  return (
    <ConfirmWrite
      title={title}
      description={description}
      confirmLabel={confirm}
      destructive={action === 'approve'}
      reason={action === 'reject' ? 'required' : 'optional'}
      write={useOperationAction()}
      input={(reason) => ({ id: operation.id, action, reason: reason || undefined })}
      target={{ path: links.operation(operation.id), dialog: action, of: operation.id }}
      onDone={() => toast.success(SPECS[action].done)}
      onClose={onClose}
    />
  );
}

function question(operation: Operation, action: OperationAction) {
  const { verb, done } = KIND_LABELS[operation.kind];
  const size = `${operation.estimated ? 'at least ' : ''}${fullNumber(operation.expected)}`;
  if (action === 'approve')
    return {
      title: `Approve: ${verb.toLowerCase()} ${size} jobs?`,
      description: `${revealHidden(operation.actor)} requested it: “${revealHidden(operation.reason)}”. ${KIND_EFFECTS[operation.kind]}`,
      confirm: 'Approve and start',
    };
  if (action === 'reject')
    return {
      title: 'Reject this operation?',
      description: `Nothing will be done. ${revealHidden(operation.actor)} sees your reason.`,
      confirm: 'Reject',
    };
  const waiting = operation.status === 'awaiting-approval';
  return {
    title: waiting ? 'Withdraw this operation?' : 'Cancel this operation?',
    description: waiting
      ? 'Nothing has been done, and nothing will be.'
      : `The ${fullNumber(operation.moved)} ${done} so far stay so; the rest is not touched. A cancelled operation cannot be resumed; a paused one can.`,
    confirm: waiting ? 'Withdraw' : 'Cancel the operation',
  };
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

/** Asks for the reason and starts the undo. Mount it to open it. */
export function UndoDialog({
  operation,
  undo,
  onClose,
}: {
  operation: Operation;
  undo: NonNullable<Operation['undo']>;
  onClose: () => void;
}) {
  const router = useRouter();
  const given = filledText(useFilledLink(), 'q');
  const [q, setQ] = useState(given);
  const { verb } = KIND_LABELS[undo.kind];
  return (
    <ConfirmWrite
      title={`Undo: ${verb.toLowerCase()} ${count(Math.max(0, operation.moved - operation.undone), 'job')}?`}
      description={undoSentence(operation)}
      facts={[
        {
          label: 'Until',
          value:
            undo.until === null ? (
              'no time limit'
            ) : (
              <>
                <RelativeTime at={undo.until} /> (then the jobs are deleted permanently)
              </>
            ),
        },
      ]}
      confirmLabel={q.trim() === '' ? `${verb} all` : `${verb} matching jobs`}
      reason="required"
      write={useUndoOperation()}
      input={(reason) => ({ id: operation.id, reason, q: q.trim() || undefined })}
      filled={q.trim() === '' ? {} : { q: q.trim() }}
      target={{ path: links.operation(operation.id), dialog: 'undo', of: operation.id }}
      onDone={(started) => {
        announceStart(started, () => router.push(links.operation(started.id)));
        router.push(links.operation(started.id));
      }}
      onClose={onClose}
    >
      <TextField
        label="Only jobs that also match (optional)"
        hint="type:invoice.* tenant:acme …; leave empty for all"
        className="font-mono text-xs"
        maxLength={QUERY_MAX_CHARS}
        value={q}
        onChange={({ target }) => setQ(target.value)}
      />
    </ConfirmWrite>
  );
}
