'use client';
import { ConfirmWrite } from '@/components/shared/confirm-write';
import { toast } from '@/components/ui/overlays/toast';
import { useDrain } from '@/lib/browser/queues/use-queue-config';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { count } from '@/lib/format/plural';

/** Starts or stops draining. Both need a reason, because producers are affected. */
export function DrainDialog({ queue, onClose }: { queue: QueueNumbers; onClose: () => void }) {
  const { queue: name, draining, depth, counts } = queue;
  const left = depth.jobs + counts['in-flight'];
  return (
    <ConfirmWrite
      title={draining ? `Stop draining ${name}?` : `Drain ${name}?`}
      description={
        draining
          ? 'New jobs are accepted again.'
          : `New jobs are rejected with QUEUE_DRAINING. ${count(left, 'job')} already in the queue still run, including retries.`
      }
      confirmLabel={draining ? 'Stop draining' : 'Drain queue'}
      reason="required"
      write={useDrain()}
      input={(reason) => ({ queue: name, draining: !draining, reason })}
      onDone={() => toast.success(draining ? `${name} accepts new jobs again` : `${name} is draining`)}
      onClose={onClose}
    />
  );
}
