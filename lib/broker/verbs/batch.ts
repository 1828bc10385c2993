import { TOKEN_PATTERN } from '@/lib/contract/claims';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { jobIdSchema, NAME_PATTERN } from '@/lib/contract/names';
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

/** What is plainly right need not be judged by the schema, which has the sentences for what is not. */
const isName = (value: unknown): boolean => typeof value === 'string' && NAME_PATTERN.test(value);
const isRef = (item: ClaimRef): boolean =>
  isName(item.jobId) && typeof item.token === 'string' && TOKEN_PATTERN.test(item.token);

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
