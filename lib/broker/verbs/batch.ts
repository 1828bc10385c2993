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
  if (items.length > BATCH_MAX)
    throw new RedriveError(
      'VALIDATION',
      `At most ${BATCH_MAX} jobs go into one call; ${items.length} were given.`,
    );
  for (const item of items) parseOrThrow(claimRefSchema, item, 'claim');
  return inParts(items, size, send);
}

/** The same for job ids. */
export async function idBatches<R>(
  ids: readonly string[],
  size: number,
  send: (part: readonly string[]) => Promise<R[]>,
): Promise<R[]> {
  if (ids.length > BATCH_MAX)
    throw new RedriveError(
      'VALIDATION',
      `At most ${BATCH_MAX} jobs go into one call; ${ids.length} were given.`,
    );
  for (const id of ids) parseOrThrow(jobIdSchema, id, 'jobId');
  return inParts(ids, size, send);
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
