'use client';
import { cn } from '@/components/ui/cn';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { useQueue } from '@/lib/browser/queues/use-queue';
import { useQueueConfig } from '@/lib/browser/queues/use-queue-config';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { waitReason } from './wait-reason';

/** What the state of the job means now: why it waits, and for what. */
export function WaitReason({ job }: { job: JobDetail }) {
  const queue = useQueue(job.queue).data ?? undefined;
  const workers = useWorkers().data?.workers;
  const config = useQueueConfig(job.queue).data?.config;
  const { text, isBlocked } = waitReason(job, { queue, workers, config });
  return (
    <p
      data-wait={isBlocked ? 'blocked' : 'open'}
      className={cn('mb-2 [overflow-wrap:anywhere]', isBlocked ? 'font-medium text-warn' : 'text-muted')}
    >
      {text}
    </p>
  );
}
