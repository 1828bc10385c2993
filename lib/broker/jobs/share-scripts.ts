/**
 * Single calls that share a script, which makes them cheap for Redis. Those made together leave together, before anything else is read or
 * written; while a script of theirs is under way, they gather until the end of the tick.
 */
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { perContext } from '@/lib/broker/redis/context-cache';

interface Sharing<Item, Reply> {
  /** So many go without waiting for the end of the tick, so that Redis works meanwhile. Fewer cost it more in calls than that saves. */
  readonly fullItems: number;
  /** What one script takes, in units of `sizeOf`. */
  readonly maxSize: number;
  sizeOf(item: Item): number;
  /** One reply for each item, in order. @param variant what all of them have in common besides the queue */
  send(ctx: BrokerContext, queue: string, variant: string, items: readonly Item[]): Promise<readonly Reply[]>;
}

/** Items that wait to leave. */
interface Load<Item, Reply> {
  readonly items: Item[];
  readonly waiting: { resolve(reply: Reply): void; reject(error: unknown): void }[];
  size: number;
}

/** One queue and variant, while something waits or is under way. */
class Sender<Item, Reply> {
  #scripts = 0;
  #load: Load<Item, Reply> | null = null;

  constructor(
    private readonly sharing: Sharing<Item, Reply>,
    private readonly ctx: BrokerContext,
    private readonly queue: string,
    private readonly variant: string,
    private readonly onIdle: () => void,
  ) {}

  add(item: Item): Promise<Reply> {
    const { sharing } = this;
    const size = sharing.sizeOf(item);
    if (this.#load !== null && this.#load.size + size > sharing.maxSize) this.#go(this.#load);
    const load = this.#load ?? this.#open();
    load.items.push(item);
    load.size += size;
    const reply = new Promise<Reply>((resolve, reject) => {
      load.waiting.push({ resolve, reject });
    });
    if (load.items.length >= sharing.fullItems) this.#go(load);
    return reply;
  }

  #open(): Load<Item, Reply> {
    const load: Load<Item, Reply> = { items: [], waiting: [], size: 0 };
    this.#load = load;
    const go = () => this.#go(load);
    if (this.#scripts === 0) process.nextTick(go);
    else setImmediate(go);
    return load;
  }

  #go(load: Load<Item, Reply>): void {
    // A full load went before its time.
    if (this.#load !== load) return;
    this.#load = null;
    void this.#send(load);
  }

  async #send({ items, waiting }: Load<Item, Reply>): Promise<void> {
    this.#scripts += 1;
    try {
      const replies = await this.sharing.send(this.ctx, this.queue, this.variant, items);
      for (let i = 0; i < waiting.length; i++) {
        const reply = replies[i];
        if (reply === undefined) waiting[i]?.reject(new Error('A call that shared a script got no reply.'));
        else waiting[i]?.resolve(reply);
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
    this.#scripts -= 1;
    if (this.#scripts === 0 && this.#load === null) this.onIdle();
  }
}

/** Makes a function for single calls of one kind: they share a script by queue and variant. */
export function shareScripts<Item, Reply>(sharing: Sharing<Item, Reply>) {
  /** Those with something to send or under way. */
  const senders = perContext(() => new Map<string, Sender<Item, Reply>>());
  return (ctx: BrokerContext, queue: string, variant: string, item: Item): Promise<Reply> => {
    const busy = senders.of(ctx);
    const key = variant === '' ? queue : `${queue} ${variant}`;
    let sender = busy.get(key);
    if (!sender) {
      sender = new Sender(sharing, ctx, queue, variant, () => busy.delete(key));
      busy.set(key, sender);
    }
    return sender.add(item);
  };
}
