'use client';
import { AuditLink } from '@/components/shared/audit-link';
import { ReclaimButton } from '@/components/shared/reclaim-button';
import { useDialog } from '@/components/shared/use-dialog';
import { Button } from '@/components/ui/controls/button';
import {
  ArrowDownToLine,
  CirclePause,
  ListTree,
  Plus,
  SlidersHorizontal,
  Undo2,
} from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import { NavTabs } from '@/components/ui/nav-tabs';
import { DataAge } from '@/components/ui/text/relative-time';
import { useMay, useOffer, useOfferForSome } from '@/lib/browser/access/use-permissions';
import { links } from '@/lib/browser/links';
import { useQueue, useQueueTime } from '@/lib/browser/queues/use-queue';
import { useAuditHref } from '@/lib/browser/use-audit';

const DrainDialog = lazyPart(() => import('./drain-dialog').then((module) => module.DrainDialog));
const EnqueueDialog = lazyPart(() => import('./enqueue-dialog').then((module) => module.EnqueueDialog));
const PauseDialog = lazyPart(() =>
  import('@/components/shared/pause/pause-dialog').then((module) => module.PauseDialog),
);

const DIALOGS = ['enqueue', 'pause', 'drain'] as const;

/** Actions on the whole queue. The buttons do not move while the queue loads. */
export function QueueActions({ queue: name }: { queue: string }) {
  const queue = useQueue(name).data ?? null;
  const enqueue = useOfferForSome('enqueue', name);
  const operate = useOffer('operate', name);
  const audit = useAuditHref({ queue: name }, name);
  const [open, setOpen] = useDialog(DIALOGS, (dialog) => {
    const { shown, missing } = dialog === 'enqueue' ? enqueue : operate;
    return queue !== null && shown && missing === null;
  });
  return (
    <>
      {enqueue.shown && (
        <Button blocked={enqueue.missing} onClick={() => setOpen('enqueue')}>
          <Plus aria-hidden />
          Enqueue a job
        </Button>
      )}
      {operate.shown && (
        <>
          <ReclaimButton
            queue={name}
            disabled={!queue}
            blocked={operate.missing}
            title="Return jobs with expired leases to ready"
          >
            <Undo2 aria-hidden />
            <span>
              Reclaim<span className="max-sm:hidden"> expired leases</span>
            </span>
          </ReclaimButton>
          <Button disabled={!queue} blocked={operate.missing} onClick={() => setOpen('pause')}>
            <CirclePause aria-hidden />
            Pause…
          </Button>
          <Button disabled={!queue} blocked={operate.missing} onClick={() => setOpen('drain')}>
            <ArrowDownToLine aria-hidden />
            {queue?.draining ? 'Stop draining…' : 'Drain…'}
          </Button>
        </>
      )}
      <AuditLink href={audit} />
      {open === 'enqueue' && <EnqueueDialog queue={name} onClose={() => setOpen(null)} />}
      {queue && open === 'drain' && <DrainDialog queue={queue} onClose={() => setOpen(null)} />}
      {queue && open === 'pause' && <PauseDialog queue={queue} onClose={() => setOpen(null)} />}
    </>
  );
}

export function QueueAge({ queue }: { queue: string }) {
  return <DataAge at={useQueueTime(queue)} staleAfterMs={5_000} />;
}

export function QueueTabs({ queue, current }: { queue: string; current: 'jobs' | 'settings' }) {
  // Settings apply to the whole queue.
  const whole = useMay('view', queue);
  return (
    <NavTabs
      label={`Pages of ${queue}`}
      className="mx-4 mb-3 max-sm:mx-2"
      value={current}
      items={[
        { value: 'jobs', label: 'Jobs', href: links.queue(queue), icon: <ListTree aria-hidden /> },
        ...(whole
          ? [
              {
                value: 'settings',
                label: 'Settings',
                href: links.queueSettings(queue),
                icon: <SlidersHorizontal aria-hidden />,
              },
            ]
          : []),
      ]}
    />
  );
}
