/** Ids that are taken, for those who may enter jobs and not see what is hidden in them. */
import type { EnqueueInput, EnqueueResult } from '@/lib/contract/envelope';
import { RedriveError } from '@/lib/contract/errors';
import { hasJob } from '@/lib/contract/permissions';
import { type Principal, withinOf } from '../access/principal';
import { getBroker } from '../broker';

const ASKED_AT_ONCE = 16;

/**
 * Those of the jobs, by their place among them, that are there already, with an answer that tells nothing of what is hidden. They are
 * not sent on: the script would compare all of them, and count the ones that are equal.
 */
export async function shownOutcomes(
  principal: Principal,
  queue: string,
  jobs: readonly EnqueueInput[],
): Promise<ReadonlyMap<number, EnqueueResult>> {
  const found = new Map<number, EnqueueResult>();
  const within = withinOf(principal, 'unmask');
  const asked = [...jobs.entries()].filter(
    ([, { tenantId = 'default' }]) => !hasJob(within, queue, tenantId),
  );
  for (let from = 0; from < asked.length; from += ASKED_AT_ONCE)
    await Promise.all(
      asked.slice(from, from + ASKED_AT_ONCE).map(async ([at, job]) => {
        const outcome = await getBroker().inspect.knownAs(queue, job);
        if (outcome !== null && job.jobId !== undefined) found.set(at, { jobId: job.jobId, outcome });
      }),
    );
  return found;
}

/** A single job's refusal is an error. @throws RedriveError ID_CONFLICT */
export function resultOrConflict(result: EnqueueResult, queue: string): EnqueueResult {
  if (result.outcome !== 'conflict') return result;
  throw new RedriveError(
    'ID_CONFLICT',
    `The id ${result.jobId} already belongs to a job with another content in ${queue}. Choose another jobId.`,
    { fields: [{ field: 'jobId', message: 'is taken' }] },
  );
}
