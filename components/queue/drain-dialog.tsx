'use client';
import { toast } from 'sonner';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useDrain } from '@/lib/client/use-config';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { count } from '@/lib/format/plural';

/** Refuses new jobs while the old ones finish, or takes them again. Both ask for a reason: producers will notice. */
export function DrainDialog({
  queue,
  open,
  onOpenChange,
}: {
  queue: QueueSnapshot;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { mutate, isPending, error, reset } = useDrain();
  const { queue: name, draining, depth, counts } = queue;
  const left = depth.jobs + counts['in-flight'];
  const close = () => {
    onOpenChange(false);
    reset();
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title={draining ? `Let ${name} take jobs again?` : `Drain ${name}?`}
      description={
        draining
          ? 'Producers may enqueue from this moment on.'
          : `New jobs are refused with QUEUE_DRAINING from this moment on. ${count(left, 'job')} already in it still run, with their retries; nothing is lost.`
      }
      confirmLabel={draining ? 'Take jobs again' : 'Drain queue'}
      reason="required"
      pending={isPending}
      error={error?.detail}
      onConfirm={({ reason }) =>
        mutate(
          { queue: name, draining: !draining, reason },
          {
            onSuccess: () => {
              toast.success(draining ? `${name} takes jobs again` : `${name} is draining`);
              close();
            },
          },
        )
      }
    />
  );
}
