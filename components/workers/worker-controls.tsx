'use client';
import { useState } from 'react';
import { Button } from '@/components/ui/controls/button';
import { CirclePause } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { pageActions } from '@/components/ui/page-actions';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { usePageActions } from '@/components/ui/use-page-actions';
import { usePermits } from '@/lib/browser/access/use-permissions';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { LIVE_STATUSES, WORKER_ACTIONS } from '@/lib/contract/workers/worker-limits';
import type { WorkerAction } from '@/lib/contract/workers/worker-requests';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { askRefusal, offeredActions } from './worker-choices';

const WorkerRequestDialog = lazyPart(() =>
  import('./worker-request-dialog').then((module) => module.WorkerRequestDialog),
);
const WorkerGroupDialog = lazyPart(() =>
  import('./worker-request-dialog').then((module) => module.WorkerGroupDialog),
);
const LABELS: Readonly<Record<WorkerAction, string>> = {
  quiet: 'Quiet…',
  resume: 'Resume…',
  stop: 'Stop…',
};

/** The buttons of one worker, and what it was asked last. Where no answer can come, the buttons leave their room. */
export function WorkerControls({ worker, isEnded }: { worker: Worker; isEnded: boolean }) {
  const permits = usePermits();
  const [open, setOpen] = useState<WorkerAction | null>(null);
  const blocked = askRefusal(worker, permits);
  const isShown = permits('operate');
  const isAskable = !isEnded && LIVE_STATUSES.has(worker.status);
  if (!isShown && worker.request === null) return null;
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2 px-3 pt-1" {...(isAskable && pageActions)}>
      <RequestLine worker={worker} />
      {isShown &&
        offeredActions(worker).map((action) => (
          <Button
            key={action}
            size="sm"
            blocked={blocked}
            className={isAskable ? undefined : 'invisible'}
            aria-label={`${LABELS[action].slice(0, -1)} ${worker.workerId}`}
            onClick={() => setOpen(action)}
          >
            {LABELS[action]}
          </Button>
        ))}
      {open && <WorkerRequestDialog worker={worker} action={open} onClose={() => setOpen(null)} />}
    </div>
  );
}

const WORDS: Readonly<Record<WorkerAction, string>> = {
  quiet: 'Quieted',
  resume: 'Resumed',
  stop: 'Stopped',
};
/** The states that a request leads to. */
const REACHED: Readonly<Record<WorkerAction, Worker['status']>> = {
  quiet: 'quiet',
  resume: 'running',
  stop: 'draining',
};

function RequestLine({ worker: { request, status } }: { worker: Worker }) {
  if (!request || (request.action === 'resume' && status === 'running')) return null;
  const { action, actor, reason, at } = request;
  const isTaken = status === REACHED[action];
  return (
    <p className="min-w-0 flex-1 text-muted text-xs [overflow-wrap:anywhere]">
      {isTaken ? WORDS[action] : `Asked to ${action}`} by {revealHidden(actor)} <RelativeTime at={at} />:{' '}
      {revealHidden(reason)}
    </p>
  );
}

/** Quiets, resumes or stops all workers, or those of a queue, host or version. */
export function WorkerGroupButton() {
  const permits = usePermits();
  const workers = useWorkers().data?.workers;
  const [open, setOpen] = useState<WorkerAction | null>(null);
  const live = workers?.filter(({ status }) => LIVE_STATUSES.has(status)) ?? [];
  const askable = live.filter((worker) => askRefusal(worker, permits) === null);
  usePageActions(
    permits('operate') && askable.length > 0
      ? WORKER_ACTIONS.map((action) => ({
          label: `${LABELS[action].slice(0, -1)} workers…`,
          detail: 'all, or the workers of a queue, host or version',
          run: () => setOpen(action),
        }))
      : [],
  );
  if (!permits('operate')) return null;
  return (
    <>
      <Button disabled={askable.length === 0} onClick={() => setOpen('quiet')}>
        <CirclePause aria-hidden />
        Quiet or stop…
      </Button>
      {open && (
        <WorkerGroupDialog
          first={open}
          workers={askable}
          left={live.length - askable.length}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}
