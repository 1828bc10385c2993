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

/** Sends items in parts that one script may touch, in order, and joins the outcomes. */
export async function inBatches<T, R>(
  items: readonly T[],
  size: number,
  send: (part: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += size) {
    try {
      results.push(...(await send(items.slice(start, start + size))));
    } catch (error) {
      throw start === 0 ? error : afterPart(error);
    }
  }
  return results;
}
