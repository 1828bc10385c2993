/** The same call to several shards of a queue: one that does not answer must not keep the others from it. */
import { RedriveError } from '@/lib/contract/errors';
import type { Layout } from './layout';

/** Shards asked at a time: a queue of many must not take Redis for itself. */
const AT_ONCE = 8;

export interface Answers<R> {
  /** By shard, in order. */
  readonly answered: readonly { shard: number; value: R }[];
  readonly failed: readonly { shard: number; error: unknown }[];
}

/** Asks the shards named, or all; errors come back as words about the queue. */
export async function fanOut<R>(
  layout: Layout,
  ask: (name: string, shard: number) => Promise<R>,
  { shards = everyShard(layout), atOnce = AT_ONCE }: { shards?: readonly number[]; atOnce?: number } = {},
): Promise<Answers<R>> {
  const answered: { shard: number; value: R }[] = [];
  const failed: { shard: number; error: unknown }[] = [];
  await inLanes(shards, atOnce, async (shard) => {
    const name = layout.names[shard] ?? layout.queue;
    try {
      answered.push({ shard, value: await ask(name, shard) });
    } catch (error) {
      failed.push({ shard, error: inWords(error, name, layout.queue) });
    }
  });
  const byShard = (a: { shard: number }, b: { shard: number }) => a.shard - b.shard;
  return { answered: answered.sort(byShard), failed: failed.sort(byShard) };
}

const everyShard = ({ names }: Layout): number[] => names.map((_, shard) => shard);

/** For reads and upkeep: what was answered is the answer, unless nothing was. @throws the first shard's error */
export function someOf<R>({ answered, failed }: Answers<R>): R[] {
  if (answered.length === 0 && failed[0]) throw failed[0].error;
  return answered.map(({ value }) => value);
}

/**
 * For changes that must hold in every shard.
 * @throws RedriveError UNKNOWN_OUTCOME when only some have it: sending it again is safe
 */
export function allOf<R>({ answered, failed }: Answers<R>, layout: Layout, what: string): R[] {
  const [first] = failed;
  if (!first) return answered.map(({ value }) => value);
  // Refused alike everywhere, as for a wrong argument: nothing is done, and the error says so itself.
  if (answered.length === 0) throw first.error;
  const why = first.error instanceof Error ? first.error.message : String(first.error);
  const names = failed.map(({ shard }) => shard).join(', ');
  throw new RedriveError(
    'UNKNOWN_OUTCOME',
    `${what} reached ${answered.length} of the ${layout.count} shards of ${layout.queue}, but not shard ${names}: ${why} Send it again: that is safe.`,
    { cause: first.error },
  );
}

/** People know queues, not their shards. */
function inWords(error: unknown, name: string, queue: string): unknown {
  if (name === queue || !(error instanceof RedriveError) || !error.message.includes(name)) return error;
  return new RedriveError(error.code, error.message.replaceAll(name, queue), {
    cause: error.cause,
    fields: error.fields,
  });
}

/** Runs `work` on every item, at most `lanes` under way. `work` must not reject. */
export async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
}

/** Items by key, with their positions, so that outcomes can be put back into the order they were asked in. */
export function grouped<T, K>(
  items: readonly T[],
  keyOf: (item: T) => K,
): Map<K, { at: number[]; items: T[] }> {
  const groups = new Map<K, { at: number[]; items: T[] }>();
  items.forEach((item, at) => {
    const key = keyOf(item);
    const group = groups.get(key) ?? { at: [], items: [] };
    group.at.push(at);
    group.items.push(item);
    groups.set(key, group);
  });
  return groups;
}
