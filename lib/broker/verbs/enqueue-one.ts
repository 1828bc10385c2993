/** Adding single jobs: those of the same tick share a script, which is most of what makes a busy producer cheap for Redis. */
import type { BrokerContext } from '../context';
import { type EnqueueEntry, type EnqueueReply, enqueueEntries, SCRIPT_MAX_BYTES, weightOf } from './enqueue';

/**
 * So many go at once, without waiting for the end of the tick: Redis then has something to do while the rest of them is made.
 * Fewer would cost it more for the calls than is won.
 */
const FULL_JOBS = 50;

interface Waiting {
  resolve(reply: EnqueueReply): void;
  reject(error: unknown): void;
}

/** What goes to one place in one script, so that every job shares the fate of all it is sent with. */
class Load {
  private readonly entries: EnqueueEntry[] = [];
  private readonly waiting: Waiting[] = [];
  private bytes = 0;

  constructor(
    private readonly ctx: BrokerContext,
    private readonly queue: string,
    private readonly sharding: string,
  ) {}

  get isFull(): boolean {
    return this.entries.length >= FULL_JOBS || this.bytes >= SCRIPT_MAX_BYTES;
  }

  add(entry: EnqueueEntry): Promise<EnqueueReply> {
    this.entries.push(entry);
    this.bytes += weightOf(entry);
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
    });
  }

  async send(): Promise<void> {
    const { ctx, queue, entries, sharding, waiting } = this;
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
}

/** Per broker: what waits for the end of the tick, by place. */
const loads = new WeakMap<BrokerContext, Map<string, Load>>();

/** Sends a job together with all others of this tick that go to the same place by the same sharding. */
export function share(
  ctx: BrokerContext,
  queue: string,
  entry: EnqueueEntry,
  sharding = '',
): Promise<EnqueueReply> {
  const place = sharding === '' ? queue : `${queue} ${sharding}`;
  let places = loads.get(ctx);
  if (!places) {
    places = new Map();
    loads.set(ctx, places);
  }
  const load = places.get(place) ?? begin(places, place, new Load(ctx, queue, sharding));
  const reply = load.add(entry);
  if (load.isFull) go(places, place, load);
  return reply;
}

function begin(places: Map<string, Load>, place: string, load: Load): Load {
  places.set(place, load);
  setImmediate(() => go(places, place, load));
  return load;
}

function go(places: Map<string, Load>, place: string, load: Load): void {
  // One that was full has gone before its tick ended.
  if (places.get(place) !== load) return;
  places.delete(place);
  void load.send();
}
