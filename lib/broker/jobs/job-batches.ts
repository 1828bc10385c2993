import { afterPart } from '@/lib/broker/shards/partial-change';
import { type ClaimRef, claimRefSchema } from '@/lib/contract/jobs/claim-options';
import { CLAIM_TOKEN_PATTERN } from '@/lib/contract/jobs/job-limits';
import { NAME_PATTERN } from '@/lib/contract/name-pattern';
import { jobIdSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';

const BATCH_MAX = 1_000;

/** Valid values skip the schema, which is slow; it has the sentences for the others. */
const isName = (value: unknown): boolean => typeof value === 'string' && NAME_PATTERN.test(value);
const isRef = (item: ClaimRef): boolean =>
  isName(item.jobId) && typeof item.token === 'string' && CLAIM_TOKEN_PATTERN.test(item.token);

/** @throws RedriveError VALIDATION */
export function checkRefs(items: readonly ClaimRef[]): void {
  checkNumber(items);
  for (const item of items) if (!isRef(item)) parseOrThrow(claimRefSchema, item, 'claim');
}

/** @throws RedriveError VALIDATION */
export function checkIds(ids: readonly string[]): void {
  checkNumber(ids);
  for (const id of ids) if (!isName(id)) parseOrThrow(jobIdSchema, id, 'jobId');
}

function checkNumber({ length }: readonly unknown[]): void {
  if (length > BATCH_MAX)
    throw new RedriveError('VALIDATION', `At most ${BATCH_MAX} jobs go into one call; ${length} were given.`);
}

/** Of what one script takes no more: a batch ends with the item that reaches it. */
export interface BatchLimit<T> {
  readonly most: number;
  of(item: T): number;
}

/** Cuts items into batches for one script each: `[from, to)` by item. */
export function cutBatches<T>(items: readonly T[], limits: readonly BatchLimit<T>[]): [number, number][] {
  const batches: [number, number][] = [];
  let from = 0;
  let used = limits.map(() => 0);
  for (const [i, item] of items.entries()) {
    used = used.map((sum, n) => sum + (limits[n]?.of(item) ?? 0));
    const isFull = used.some((sum, n) => sum >= (limits[n]?.most ?? 0));
    if (!isFull && i + 1 < items.length) continue;
    batches.push([from, i + 1]);
    from = i + 1;
    used = limits.map(() => 0);
  }
  return batches;
}

/** Sends items in parts that one script may touch, in order, and joins the outcomes. */
export async function inBatches<T, R>(
  items: readonly T[],
  limits: number | readonly BatchLimit<T>[],
  send: (part: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const results: R[] = [];
  const batches = cutBatches(items, typeof limits === 'number' ? [{ most: limits, of: () => 1 }] : limits);
  for (const [from, to] of batches) {
    try {
      results.push(...(await send(items.slice(from, to))));
    } catch (error) {
      throw from === 0 ? error : afterPart(error);
    }
  }
  return results;
}
