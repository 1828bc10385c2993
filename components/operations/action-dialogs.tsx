'use client';
/** Questions before an action on an operation, and before an undo. */
import { useState } from 'react';
import { ConfirmWrite } from '@/components/shared/confirm-write';
import { useFilledLink } from '@/components/shared/requests/use-filled';
import { useOpenPage } from '@/components/shared/use-open-page';
import { TextField } from '@/components/ui/controls/field';
import { Switch } from '@/components/ui/controls/switch';
import { toast } from '@/components/ui/overlays/toast';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { filledText } from '@/lib/browser/dialog-link';
import { links } from '@/lib/browser/links';
import { useOperationAction, useUndoOperation } from '@/lib/browser/use-operations';
import type { Operation } from '@/lib/contract/operations/operation';
import { KIND_EFFECTS } from '@/lib/contract/operations/operation-effects';
import { type OperationAction, UNDO_OPEN_MS } from '@/lib/contract/operations/operation-kinds';
import { operationResult } from '@/lib/contract/operations/operation-result';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { QUERY_MAX_CHARS } from '@/lib/contract/search/query/filter';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { pauseReason, undoSentence } from './labels';
import { announceStart } from './operation-toasts';

/** Asks before an action that is final, or that starts something. */
export function ActionDialog({
  operation,
  action,
  done,
  onClose,
}: {
  operation: Operation;
  action: OperationAction;
  /** What is said when it was done. */
  done: string;
  onClose: () => void;
}) {
  const offersCanary = action === 'resume' && operation.canary !== null;
  const filled = useFilledLink();
  const [canary, setCanary] = useState(offersCanary && filled.canary !== false);
  const { title, description, confirm } = question(operation, action, canary);
  return (
    <ConfirmWrite
      title={title}
      description={description}
      confirmLabel={confirm}
      destructive={action === 'approve' || action === 'resume'}
      reason={action === 'reject' ? 'required' : 'optional'}
      write={useOperationAction()}
      input={(reason) => ({
        id: operation.id,
        action,
        reason: reason || undefined,
        ...(canary ? { canary } : {}),
      })}
      filled={offersCanary ? { canary } : {}}
      target={{ path: links.operation(operation.id), dialog: action, of: operation.id }}
      onDone={() => toast.success(done)}
      onClose={onClose}
    >
      {offersCanary && operation.canary && (
        <Switch
          label={`Another canary of ${count(operation.canary.jobs, 'job')} first`}
          checked={canary}
          onCheckedChange={setCanary}
        />
      )}
    </ConfirmWrite>
  );
}

function question(operation: Operation, action: OperationAction, canary: boolean) {
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
  if (action === 'resume') {
    const left = Math.max(0, operation.expected - operation.moved - operation.skipped);
    const why = operation.paused && pauseReason(operation.paused);
    return {
      title: `Resume: ${verb.toLowerCase()} the other ${count(left, 'job')}?`,
      description: `${operationResult(operation).label}. ${why ? `${why} ` : ''}${canary ? 'Another canary goes first; the rest follows if it succeeds' : 'The rest follows without a canary'}${operation.rate.perSecond === null && operation.rate.keepReadyBelow === null ? ' and without a limit of its rate' : ''}. Correct the cause first, or they die again, too.`,
      confirm: 'Resume',
    };
  }
  const waiting = operation.status === 'awaiting-approval';
  return {
    title: waiting ? 'Withdraw this operation?' : 'Cancel this operation?',
    description: waiting
      ? 'Nothing has been done, and nothing will be.'
      : `The ${fullNumber(operation.moved)} ${done} so far stay so; the rest is not touched. A cancelled operation cannot be resumed; a paused one can.`,
    confirm: waiting ? 'Withdraw' : 'Cancel the operation',
  };
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
  const openPage = useOpenPage();
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
              operation.endedAt === null ? (
                'seven days after its end'
              ) : (
                <RelativeTime at={operation.endedAt + UNDO_OPEN_MS} />
              )
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
        announceStart(started, () => openPage(links.operation(started.id)));
        openPage(links.operation(started.id));
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
