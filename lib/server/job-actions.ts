/** What can be done to one job over HTTP: an operator's actions and a claim holder's. */
import { CLAIM_ACTIONS, type ClaimAction } from '@/lib/contract/claims';
import { RedriveError } from '@/lib/contract/errors';
import { JOB_ACTIONS, type JobAction } from '@/lib/contract/job';
import type { GuardedBroker } from './guarded';

/** @throws RedriveError for an unknown action, a missing permission, a bad body, a wrong state or a stale claim */
export async function actOnJob(
  broker: GuardedBroker,
  queue: string,
  jobId: string,
  action: string,
  body: unknown,
): Promise<{ outcome: string }> {
  if (Object.hasOwn(JOB_ACTIONS, action)) return broker.jobs.act(queue, jobId, action as JobAction, body);
  if (Object.hasOwn(CLAIM_ACTIONS, action))
    return broker.claims.settle(queue, jobId, action as ClaimAction, body);
  const known = [...Object.keys(JOB_ACTIONS), ...Object.keys(CLAIM_ACTIONS)].join(', ');
  throw new RedriveError('NOT_FOUND', `A job has no action ${action}. There are: ${known}.`, {
    fields: [{ field: 'action', message: 'is unknown' }],
  });
}
