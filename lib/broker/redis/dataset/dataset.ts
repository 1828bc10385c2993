/** Which data this Redis holds, by a random id among them. When the id changes, this process forgets what it remembers of the data. */
import { randomBytes } from 'node:crypto';
import type { RedisConnection } from '../redis-connection';
import { isNewer, readFormats, recordFormat } from './data-format';

/** An id is looked at once in this time while the broker is used, and not at all while it is not. */
export const DATASET_LOOK_EVERY_MS = 1_000;
const FORBIDDEN_LOOK_EVERY_MS = 60_000;
const NAMES_REMEMBERED = 10_000;
const NAMES_A_CALL = 500;
/** Clocks of Redis and of this process may differ by so much before an emptied Redis is taken for another one. */
const CLOCKS_DIFFER_MS = 5_000;

export interface DatasetLoss {
  /** `emptied`: it began anew. `other`: older data answer instead. */
  readonly kind: 'emptied' | 'other';
  /** When the data that are gone were seen last, and when it was noticed that they are: by this process's clock. */
  readonly lastSeenAt: number;
  readonly noticedAt: number;
}

export interface Dataset {
  /** A queue was named to Redis: there is a look within a second, and if the data are gone by then, its name is entered again. */
  touch(queue?: string): void;
  /** Looks now. Never rejects: a Redis that is away says nothing about its data. */
  look(): Promise<void>;
  /** There is a new connection: other data may answer. Looks at once, if there was a look before. */
  reconnected(): void;
  /** The last loss this process has seen, and how many; for what all consoles say, see `recorded-loss.ts`. */
  state(): { readonly loss: DatasetLoss | null; readonly losses: number };
  /** Until the returned function is called. */
  onLoss(listener: (loss: DatasetLoss) => void): () => void;
  close(): void;
}

export interface DatasetDeps {
  plain<T>(call: (redis: RedisConnection) => Promise<T>): Promise<T>;
  readonly key: string;
  readonly formatsKey: string;
  readonly registryKey: string;
  /** The data have become those of a newer version. */
  onNewer(): void;
}

export function createDataset({ plain, key, formatsKey, registryKey, onNewer }: DatasetDeps): Dataset {
  let known: string | null = null;
  let lastSeenAt = 0;
  let loss: DatasetLoss | null = null;
  let losses = 0;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let closed = false;
  /** A refused question is not asked again: Redis logs each refusal. */
  let asksFormats = true;
  let mayRecord = true;
  const listeners = new Set<(loss: DatasetLoss) => void>();
  /** Queues used since the last look, and since the one before: an enqueue under way may arrive after the look that follows it. */
  let used = new Set<string>();
  let usedBefore = new Set<string>();

  async function read(): Promise<void> {
    lookedAtMs = performance.now();
    const askedAt = Date.now();
    // Sent together: the second costs no round trip.
    const [id, formats] = await plain((redis) =>
      Promise.all([redis.get(key), asksFormats ? readFormats(redis, formatsKey) : null]),
    );
    asksFormats = formats !== null;
    if (formats !== null && isNewer(formats)) return onNewer();
    if (formats !== null && mayRecord)
      mayRecord = await plain((redis) => recordFormat(redis, formatsKey, formats));
    if (known !== null && id !== known) recordLoss(id);
    const present = id ?? (await make());
    if (present !== null) [known, lastSeenAt] = [present, askedAt];
    [usedBefore, used] = [used, new Set()];
  }

  /** The first process makes it. Null: this Redis user may only read. */
  async function make(): Promise<string | null> {
    try {
      const [seconds] = await plain((redis) => redis.time());
      const id = `${randomBytes(16).toString('hex')} ${Number(seconds) * 1_000}`;
      // Not read back: data lost in between would leave this process without an id to miss.
      const isOurs = (await plain((redis) => redis.setnx(key, id))) === 1;
      return isOurs ? id : await plain((redis) => redis.get(key));
    } catch (error) {
      if (isForbidden(error)) return null;
      throw error;
    }
  }

  function recordLoss(id: string | null): void {
    const madeAt = Number(id?.split(' ')[1] ?? Number.POSITIVE_INFINITY);
    const kind = madeAt >= lastSeenAt - CLOCKS_DIFFER_MS ? 'emptied' : 'other';
    known = null;
    losses += 1;
    loss = { kind, lastSeenAt, noticedAt: Date.now() };
    for (const listener of listeners) listener(loss);
    // What does not get there is entered with the next job of that queue.
    registerAgain([...usedBefore, ...used]).catch(() => undefined);
  }

  /** Their jobs may be in already, entered while the registry was taken to know them. */
  async function registerAgain(queues: readonly string[]): Promise<void> {
    const names = [...new Set(queues.map((queue) => queue.split('#', 1)[0] ?? queue))];
    const [seconds] = await plain((redis) => redis.time());
    for (let i = 0; i < names.length; i += NAMES_A_CALL) {
      const members = names.slice(i, i + NAMES_A_CALL).flatMap((name) => [Number(seconds) * 1_000, name]);
      await plain((redis) => redis.zadd(registryKey, ...members));
    }
  }

  const look = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (closed) return Promise.resolve();
    looking ??= read()
      .catch((error: unknown) => {
        // This user may not ask. Rules may change, but not each second.
        if (isForbidden(error)) lookedAtMs += FORBIDDEN_LOOK_EVERY_MS - DATASET_LOOK_EVERY_MS;
      })
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  return {
    touch(queue) {
      if (queue !== undefined && used.size < NAMES_REMEMBERED) used.add(queue);
      if (timer !== undefined || closed) return;
      timer = setTimeout(look, Math.max(0, lookedAtMs + DATASET_LOOK_EVERY_MS - performance.now()));
      timer.unref();
    },
    look,
    reconnected() {
      [asksFormats, mayRecord] = [true, true];
      if (known !== null) void look();
    },
    state: () => ({ loss, losses }),
    onLoss(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      clearTimeout(timer);
      listeners.clear();
    },
  };
}

/** This Redis user may not do it. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('NOPERM');
