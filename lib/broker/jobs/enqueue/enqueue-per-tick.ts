/** Adding single jobs: those of the same tick share a script, which makes a busy producer cheap for Redis. */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { perContext } from '@/lib/broker/redis/context-cache';
import {
  type EnqueueEntry,
  type EnqueueReply,
  enqueueEntries,
  entryBytes,
  SCRIPT_MAX_BYTES,
} from './enqueue-entries';

/** So many go without waiting for the end of the tick, so that Redis works meanwhile. Fewer cost it more in calls than that saves. */
const FULL_JOBS = 50;

interface Load {
  readonly entries: EnqueueEntry[];
  readonly waiting: { resolve(reply: EnqueueReply): void; reject(error: unknown): void }[];
  bytes: number;
}

/** Loads that wait for the end of the tick, by queue and sharding. */
const loads = perContext(() => new Map<string, Load>());

/** Sends a job together with all others of this tick that go to the same queue by the same sharding. */
export function enqueueWithTick(
  ctx: BrokerContext,
  queue: string,
  entry: EnqueueEntry,
  sharding = '',
): Promise<EnqueueReply> {
  const open = loads.of(ctx);
  const key = sharding === '' ? queue : `${queue} ${sharding}`;
  const load = open.get(key) ?? { entries: [], waiting: [], bytes: 0 };
  const go = () => {
    // A full load went before its tick ended.
    if (open.get(key) !== load) return;
    open.delete(key);
    void send(ctx, queue, load, sharding);
  };
  if (load.entries.length === 0) {
    open.set(key, load);
    setImmediate(go);
  }
  load.entries.push(entry);
  load.bytes += entryBytes(entry);
  const reply = new Promise<EnqueueReply>((resolve, reject) => {
    load.waiting.push({ resolve, reject });
  });
  if (load.entries.length >= FULL_JOBS || load.bytes >= SCRIPT_MAX_BYTES) go();
  return reply;
}

async function send(
  ctx: BrokerContext,
  queue: string,
  { entries, waiting }: Load,
  sharding: string,
): Promise<void> {
  try {
    const replies = await enqueueEntries(ctx, queue, entries, sharding);
    for (const [i, { resolve, reject }] of waiting.entries()) {
      const reply = replies[i];
      if (reply) resolve(reply);
      else reject(new Error('enqueue: no reply for the job'));
    }
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}
