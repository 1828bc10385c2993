'use client';
import { ArrowDownToLine, CirclePause, Play, Plus, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { AuditLink } from '@/components/ui/audit-link';
import { Button } from '@/components/ui/button';
import { queuePause } from '@/lib/client/pauses';
import { useOffer, useOfferForSome } from '@/lib/client/permissions';
import { useAuditHref } from '@/lib/client/use-audit';
import { useQueue } from '@/lib/client/use-queue';
import { useReclaim } from '@/lib/client/use-reclaim';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { count } from '@/lib/format/plural';
import { DrainDialog } from './drain-dialog';
import { EnqueueDialog } from './enqueue-dialog';
import { PauseDialog } from './pause-dialog';
import { useResumeWithWords } from './pauses-panel';

/** What can be done to the whole queue. The buttons keep their place while the queue loads. */
export function QueueActions({ queue: name }: { queue: string }) {
  const queue = useQueue(name).data?.queue ?? null;
  const [open, setOpen] = useState<'enqueue' | 'pause' | 'drain' | null>(null);
  const enqueue = useOfferForSome('enqueue', name);
  const operate = useOffer('operate', name);
  const audit = useAuditHref({ queue: name }, name);
  const close = (isOpen: boolean) => {
    if (!isOpen) setOpen(null);
  };
  return (
    <>
      <AuditLink href={audit} />
      {enqueue.shown && (
        <Button blocked={enqueue.missing} onClick={() => setOpen('enqueue')}>
          <Plus aria-hidden />
          Enqueue a job
        </Button>
      )}
      {operate.shown && (
        <>
          <ReclaimButton queue={queue} name={name} blocked={operate.missing} />
          {queue && queuePause(queue.pauses) && <ResumeButton queue={name} blocked={operate.missing} />}
          <Button disabled={!queue} blocked={operate.missing} onClick={() => setOpen('pause')}>
            <CirclePause aria-hidden />
            Pause…
          </Button>
          <Button disabled={!queue} blocked={operate.missing} onClick={() => setOpen('drain')}>
            <ArrowDownToLine aria-hidden />
            {queue?.draining ? 'Take jobs again…' : 'Drain…'}
          </Button>
        </>
      )}
      <EnqueueDialog queue={name} open={open === 'enqueue'} onOpenChange={close} />
      {queue && <DrainDialog queue={queue} open={open === 'drain'} onOpenChange={close} />}
      {queue && <PauseDialog queue={queue} open={open === 'pause'} onOpenChange={close} />}
    </>
  );
}

function ResumeButton({ queue, blocked }: { queue: string; blocked: string | null }) {
  const { resume, pending } = useResumeWithWords(queue, 'queue');
  return (
    <Button variant="primary" pending={pending} blocked={blocked} onClick={resume}>
      <Play aria-hidden />
      Resume queue
    </Button>
  );
}

function ReclaimButton({
  queue,
  name,
  blocked,
}: {
  queue: QueueSnapshot | null;
  name: string;
  blocked: string | null;
}) {
  const { mutate, isPending } = useReclaim();
  const reclaim = () =>
    mutate(
      { queue: name },
      {
        onSuccess: ({ reclaimed }) =>
          reclaimed === 0
            ? toast.info('No lease has run out')
            : toast.success(`Reclaimed ${count(reclaimed, 'job')}`),
        onError: (error) => toast.error('Could not reclaim', { description: error.detail }),
      },
    );
  return (
    <Button
      disabled={!queue}
      pending={isPending}
      blocked={blocked}
      onClick={reclaim}
      title="Return the jobs whose lease ran out"
    >
      <Undo2 aria-hidden />
      <span>
        Reclaim<span className="max-sm:hidden"> expired leases</span>
      </span>
    </Button>
  );
}
