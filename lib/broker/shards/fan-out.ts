/** The same call to several shards of a queue: one that does not answer must not hold up the others. */

import pLimit from 'p-limit';
import { RedriveError } from '@/lib/contract/redrive-error';
import { withoutUnchanged } from './partial-change';
import type { ShardLayout } from './shard-layout';

/** Shards asked at a time, so that a queue of many leaves room for others. */
const AT_ONCE = 8;

export interface ShardAnswers<R, P = number> {
  readonly answered: readonly { shard: P; value: R }[];
  readonly failed: readonly { shard: P; error: unknown }[];
}

export async function askShards<R, P>(
  shards: readonly P[],
  atOnce: number,
  ask: (shard: P) => Promise<R>,
): Promise<ShardAnswers<R, P>> {
  const answered: { shard: P; value: R }[] = [];
  const failed: { shard: P; error: unknown }[] = [];
  await forEachLimited(shards, atOnce, async (shard) => {
    try {
      answered.push({ shard, value: await ask(shard) });
    } catch (error) {
      failed.push({ shard, error });
    }
  });
  return { answered, failed };
}

/** Asks the shards given, or all; answers come in their order. Errors name the queue, which users know, not the shard. */
export async function fanOut<R>(
  layout: ShardLayout,
  ask: (name: string, shard: number) => Promise<R>,
  { shards = everyShard(layout), atOnce = AT_ONCE }: { shards?: readonly number[]; atOnce?: number } = {},
): Promise<ShardAnswers<R>> {
  const { answered, failed } = await askShards(shards, atOnce, async (shard) => {
    const name = layout.names[shard] ?? layout.queue;
    try {
      return await ask(name, shard);
    } catch (error) {
      throw asQueueError(error, name, layout.queue);
    }
  });
  const byShard = (a: { shard: number }, b: { shard: number }) => a.shard - b.shard;
  return { answered: answered.toSorted(byShard), failed: failed.toSorted(byShard) };
}

const everyShard = ({ names }: ShardLayout): number[] => names.map((_, shard) => shard);

/** Sends each item to its shard. `results` are in the order of the items, without those of shards that failed. */
export async function fanOutItems<T, R>(
  layout: ShardLayout,
  items: readonly T[],
  shardOf: (item: T) => number,
  ask: (name: string, items: readonly T[]) => Promise<readonly R[]>,
): Promise<ShardAnswers<readonly R[]> & { readonly results: readonly (R | undefined)[] }> {
  const parts = groupWithPositions(items, shardOf);
  const answers = await fanOut(layout, (name, shard) => ask(name, parts.get(shard)?.items ?? []), {
    shards: [...parts.keys()],
  });
  const results: (R | undefined)[] = new Array(items.length).fill(undefined);
  for (const { shard, value } of answers.answered)
    parts.get(shard)?.at.forEach((at, i) => {
      results[at] = value[i];
    });
  return { ...answers, results };
}

/** A change in every shard but the first, which has it already. @throws as `allAnswers` */
export async function changeOtherShards(
  layout: ShardLayout,
  what: string,
  change: (name: string, shard: number) => Promise<unknown>,
): Promise<void> {
  allAnswers(await fanOut(layout, change, { shards: everyShard(layout).slice(1) }), layout, what, 1);
}

/** For reads and maintenance: the answers there are, unless there are none. @throws the first shard's error */
export function answersOrThrow<R, P>({ answered, failed }: ShardAnswers<R, P>): R[] {
  if (answered.length === 0 && failed[0]) throw failed[0].error;
  return answered.map(({ value }) => value);
}

/**
 * For changes that must hold in every shard that was asked.
 * @param before shards that have the change already
 * @throws RedriveError UNKNOWN_OUTCOME when a shard has it, or may have it, and another one does not: send it again
 */
export function allAnswers<R>(
  { answered, failed }: ShardAnswers<R>,
  layout: ShardLayout,
  what: string,
  before = 0,
): R[] {
  const [first] = failed;
  if (!first) return answered.map(({ value }) => value);
  const have = answered.length + before;
  // Refused everywhere, as for a wrong argument: the error says itself what that means, unless a shard may have the change.
  if (have === 0) throw (failed.find(({ error }) => mayHaveIt(error)) ?? first).error;
  const names = failed.map(({ shard }) => shard).join(', ');
  throw new RedriveError(
    'UNKNOWN_OUTCOME',
    `${what} reached ${have} of the ${have + failed.length} shards of ${layout.queue}, but not shard ${names}: ${withoutUnchanged(first.error)} Send it again: that is safe.`,
    { cause: first.error },
  );
}

const mayHaveIt = (error: unknown): boolean =>
  error instanceof RedriveError && error.code === 'UNKNOWN_OUTCOME';

function asQueueError(error: unknown, name: string, queue: string): unknown {
  if (name === queue || !(error instanceof RedriveError) || !error.message.includes(name)) return error;
  return new RedriveError(error.code, error.message.replaceAll(name, queue), {
    cause: error.cause,
    fields: error.fields,
  });
}

/** Runs `work` on every item, at most `atOnce` under way. `work` must not reject. */
export async function forEachLimited<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(atOnce);
  await Promise.all(items.map((item) => limit(work, item)));
}

/** Items by key, with their positions. */
export function groupWithPositions<T, K>(
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
