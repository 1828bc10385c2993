'use client';
import { useQueue } from '@/lib/client/use-queue';
import { full } from '@/lib/format/number';

/** How many jobs the depth limit is about right now, beside where it is set. */
export function DepthNote({ queue }: { queue: string }) {
  const snapshot = useQueue(queue).data?.queue;
  if (!snapshot) return null;
  const partial = snapshot.shards.unavailable.length > 0 ? 'at least ' : '';
  return (
    <span>
      Now {partial}
      {full(snapshot.depth.jobs)}.
    </span>
  );
}
