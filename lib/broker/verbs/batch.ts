import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { jobIdSchema } from '@/lib/contract/names';
import { type ClaimRef, claimRefSchema } from '@/lib/contract/verbs';

export const BATCH_MAX = 1_000;

/** Sends items in parts that one script may touch, in order, and joins the outcomes. */
export async function batches<T extends ClaimRef, R>(
  items: readonly T[],
  size: number,
  send: (part: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  checkRefs(items);
  return inParts(items, size, send);
}

/** The same for job ids. */
export async function idBatches<R>(
  ids: readonly string[],
  size: number,
  send: (part: readonly string[]) => Promise<R[]>,
): Promise<R[]> {
  checkIds(ids);
  return inParts(ids, size, send);
}

/** @throws RedriveError VALIDATION */
export function checkRefs(items: readonly ClaimRef[]): void {
  checkNumber(items);
  for (const item of items) parseOrThrow(claimRefSchema, item, 'claim');
}

/** @throws RedriveError VALIDATION */
export function checkIds(ids: readonly string[]): void {
  checkNumber(ids);
  for (const id of ids) parseOrThrow(jobIdSchema, id, 'jobId');
}

function checkNumber({ length }: readonly unknown[]): void {
  if (length > BATCH_MAX)
    throw new RedriveError('VALIDATION', `At most ${BATCH_MAX} jobs go into one call; ${length} were given.`);
}

async function inParts<T, R>(
  items: readonly T[],
  size: number,
  send: (part: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += size)
    results.push(...(await send(items.slice(start, start + size))));
  return results;
}
