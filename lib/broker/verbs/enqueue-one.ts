/** Adding single jobs: those of the same tick share a script, which is most of what makes a busy producer cheap for Redis. */
import type { BrokerContext } from '../context';
import { type EnqueueEntry, type EnqueueReply, enqueueEntries, partsOf } from './enqueue';

interface Waiting {
  readonly entry: EnqueueEntry;
  resolve(reply: EnqueueReply): void;
  reject(error: unknown): void;
}
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
    const list = queues.get(place);
    if (list) {
      list.push({ entry, resolve, reject });
      return;
    }
    queues.set(place, [{ entry, resolve, reject }]);
    setImmediate(() => {
      const all = queues.get(place) ?? [];
      queues.delete(place);
      // One script each, so that every job shares the fate of all it is sent with.
      for (const [from, to] of partsOf(all.map((one) => one.entry)))
        void send(ctx, queue, all.slice(from, to), sharding);
    });
  });
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
