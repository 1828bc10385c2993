'use client';
import type { ComponentProps } from 'react';
import { Button } from '@/components/ui/controls/button';
import { toast } from '@/components/ui/overlays/toast';
import { useReclaim } from '@/lib/browser/queues/use-queue-actions';
import { count } from '@/lib/format/plural';

/** Returns the jobs of a queue whose leases expired to ready, and says how many. */
export function ReclaimButton({
  queue,
  ...props
}: { queue: string } & Omit<ComponentProps<typeof Button>, 'onClick' | 'pending'>) {
  const { mutate, isPending } = useReclaim();
  const reclaim = () =>
    mutate(
      { queue },
      {
        onSuccess: ({ reclaimed }) =>
          reclaimed === 0
            ? toast.info('No expired leases')
            : toast.success(`Reclaimed ${count(reclaimed, 'job')}`),
        onError: (error) => toast.error('Could not reclaim', { description: error.detail }),
      },
    );
  return <Button {...props} pending={isPending} onClick={reclaim} />;
}
