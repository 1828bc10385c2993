/**
 * Adding single jobs. One that finds nothing under way leaves at once; those of a busy producer share a script, which makes them cheap for
 * Redis.
 */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { perContext } from '@/lib/broker/redis/context-cache';
import { type EnqueueEntry, entryBytes, SCRIPT_MAX_BYTES } from './enqueue-entries';
import type { EnqueueReply } from './enqueue-replies';
import { sendEntries } from './send-entries';

/** So many go without waiting for the end of the tick, so that Redis works meanwhile. Fewer cost it more in calls than that saves. */
const FULL_JOBS = 50;

/** Jobs that wait for the end of the tick to share a script. */
interface Load {
  readonly entries: EnqueueEntry[];
  readonly waiting: { resolve(reply: EnqueueReply): void; reject(error: unknown): void }[];
  bytes: number;
}
/** One queue by one sharding, while something is under way to it. */
interface Sender {
  readonly ctx: BrokerContext;
  readonly queue: string;
  readonly sharding: string;
  readonly key: string;
  scripts: number;
  load: Load | null;
}

/** Senders with something under way, by queue and sharding. */
const senders = perContext(() => new Map<string, Sender>());

/** Sends a job: at once, or with those of this tick that go to the same queue by the same sharding. */
export function enqueueSingly(
  ctx: BrokerContext,
  queue: string,
  entry: EnqueueEntry,
  sharding: string,
): Promise<EnqueueReply> {
  const key = sharding === '' ? queue : `${queue} ${sharding}`;
  const busy = senders.of(ctx);
  const sender = busy.get(key);
  if (sender) return addToLoad(sender, entry);
  const idle: Sender = { ctx, queue, sharding, key, scripts: 0, load: null };
  busy.set(key, idle);
  return sendAlone(idle, entry);
}

async function sendAlone(sender: Sender, entry: EnqueueEntry): Promise<EnqueueReply> {
  sender.scripts += 1;
  try {
    const [reply] = await sendEntries(sender.ctx, sender.queue, [entry], sender.sharding);
    if (!reply) throw new Error('enqueue: no reply for the job');
    return reply;
  } finally {
    sender.scripts -= 1;
    forgetIdle(sender);
  }
}

function addToLoad(sender: Sender, entry: EnqueueEntry): Promise<EnqueueReply> {
  const load: Load = sender.load ?? { entries: [], waiting: [], bytes: 0 };
  const go = () => {
    // A full load went before its tick ended.
    if (sender.load !== load) return;
    sender.load = null;
    void sendLoad(sender, load);
  };
  if (sender.load === null) {
    sender.load = load;
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

async function sendLoad(sender: Sender, { entries, waiting }: Load): Promise<void> {
  sender.scripts += 1;
  try {
    const replies = await sendEntries(sender.ctx, sender.queue, entries, sender.sharding);
    waiting.forEach(({ resolve, reject }, i) => {
      const reply = replies[i];
      if (reply) resolve(reply);
      else reject(new Error('enqueue: no reply for the job'));
    });
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
  sender.scripts -= 1;
  // Callers just answered may send their next job in this tick: those share a script again.
  setImmediate(forgetIdle, sender);
}

function forgetIdle(sender: Sender): void {
  if (sender.scripts > 0 || sender.load !== null) return;
  const busy = senders.of(sender.ctx);
  if (busy.get(sender.key) === sender) busy.delete(sender.key);
}
