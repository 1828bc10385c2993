/** Adding single jobs: those of the same tick share a script, which is most of what makes a busy producer cheap for Redis. */
import type { EnqueueInput, EnqueueResult } from '@/lib/contract/envelope';
import type { BrokerContext } from '../context';
import { type EnqueueEntry, type EnqueueReply, enqueueEntries, entryOf, orThrow, partsOf } from './enqueue';

interface Waiting {
  readonly entry: EnqueueEntry;
  resolve(reply: EnqueueReply): void;
  reject(error: unknown): void;
}
/** Per broker: what waits for the end of the tick, by queue. */
const waiting = new WeakMap<BrokerContext, Map<string, Waiting[]>>();

/**
 * Adds one job.
 * @throws RedriveError ID_CONFLICT when the id belongs to a job with another content
 * @throws RedriveError NOT_UNIQUE | QUEUE_FULL | QUEUE_DRAINING when it may not come in
 */
export async function enqueue(
  ctx: BrokerContext,
  queue: string,
  input: EnqueueInput,
): Promise<EnqueueResult> {
  // Everything that can be wrong with this job is found before it shares a call with others.
  const entry = entryOf(input, ctx.clock?.() ?? Date.now());
  ctx.checkQueue(queue);
  return orThrow(await share(ctx, queue, entry), queue);
}

/** Sends a job together with all others of this tick that go to the same place by the same sharding. */
export function share(
  ctx: BrokerContext,
  queue: string,
  entry: EnqueueEntry,
  generation = 0,
): Promise<EnqueueReply> {
  const place = generation === 0 ? queue : `${queue} ${generation}`;
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
        void send(ctx, queue, all.slice(from, to), generation);
    });
  });
}

async function send(
  ctx: BrokerContext,
  queue: string,
  part: readonly Waiting[],
  generation: number,
): Promise<void> {
  try {
    const replies = await enqueueEntries(
      ctx,
      queue,
      part.map(({ entry }) => entry),
      generation,
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
