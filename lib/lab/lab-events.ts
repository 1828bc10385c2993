/** What happened in the lab's queues, for its list of events. */

import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { LabEvents } from '@/lib/contract/lab/lab-schemas';
import { LAB_QUEUES } from '@/lib/contract/lab/lab-settings';
import { readQueueMovements } from './queue-movements';

/** Of one queue in one reading. */
const EVENTS_MAX = 50;

/** The latest movements after a position (`''`: from the start), oldest first. @throws RedriveError BAD_CURSOR */
export async function readLabEvents(ctx: ShardedContext, after = ''): Promise<LabEvents> {
  const positions = after.split(';');
  const parts = await Promise.all(
    Object.keys(LAB_QUEUES).map(async (queue, i) => {
      const position = positions[i] ?? '';
      const events = await readQueueMovements(ctx, queue, position, EVENTS_MAX);
      return { events, position: events.at(-1)?.id.slice(queue.length + 1) ?? position };
    }),
  );
  return {
    events: parts.flatMap(({ events }) => events).sort((a, b) => a.at - b.at),
    next: parts.map(({ position }) => position).join(';'),
  };
}
