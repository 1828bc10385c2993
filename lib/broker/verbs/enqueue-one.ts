/** Adding single jobs: those of the same tick share a script, which is most of what makes a busy producer cheap for Redis. */
import type { BrokerContext } from '../context';
import { type EnqueueEntry, type EnqueueReply, enqueueEntries, partsOf } from './enqueue';

interface Waiting {
  readonly entry: EnqueueEntry;
  resolve(reply: EnqueueReply): void;
  reject(error: unknown): void;
}
/**
 * So many go at once, without waiting for the end of the tick: Redis then has something to do while the rest of them is made.
 * Fewer would cost it more for the calls than is won.
 */
const FULL_JOBS = 32;
/** Per broker: what waits for the end of the tick, by queue. */
const waiting = new WeakMap<BrokerContext, Map<string, Waiting[]>>();

/** Sends a job together with all others of this tick that go to the same place by the same sharding. */
export function share(
  ctx: BrokerContext,
  queue: string,
  entry: EnqueueEntry,
  sharding = '',
): Promise<EnqueueReply> {
  const place = sharding === '' ? queue : `${queue} ${sharding}`;
  const queues = waiting.get(ctx) ?? new Map<string, Waiting[]>();
  waiting.set(ctx, queues);
  return new Promise((resolve, reject) => {
    const list = queues.get(place) ?? [];
    list.push({ entry, resolve, reject });
    if (list.length === 1) {
      queues.set(place, list);
      setImmediate(() => go(list));
    } else if (list.length === FULL_JOBS) go(list);
  });

  function go(list: Waiting[]): void {
    // One that was full has gone before its tick ended.
    if (queues.get(place) !== list) return;
    queues.delete(place);
    // One script each, so that every job shares the fate of all it is sent with.
    for (const [from, to] of partsOf(list.map((one) => one.entry)))
      void send(ctx, queue, list.slice(from, to), sharding);
  }
}

async function send(
  ctx: BrokerContext,
  queue: string,
  part: readonly Waiting[],
  sharding: string,
): Promise<void> {
  try {
    const replies = await enqueueEntries(
      ctx,
      queue,
      part.map(({ entry }) => entry),
      sharding,
    );
    part.forEach(({ resolve, reject }, i) => {
      const reply = replies[i];
      if (reply) resolve(reply);
      else reject(new Error('enqueue: no reply for the job'));
    });
  } catch (error) {
    for (const { reject } of part) reject(error);
  }
}
