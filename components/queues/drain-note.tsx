'use client';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useQueueConfig } from '@/lib/browser/queues/use-queue-config';
import { revealHidden } from '@/lib/format/display-text';

/** Who drains a queue, since when and why; nothing until that is known. */
export function DrainNote({ queue }: { queue: string }) {
  const note = useQueueConfig(queue).data?.draining;
  if (!note) return null;
  return (
    <>
      ; by <span className="text-fg">{revealHidden(note.actor)}</span> <RelativeTime at={note.since} />,{' '}
      <span className="text-fg">“{revealHidden(note.reason)}”</span>
    </>
  );
}
