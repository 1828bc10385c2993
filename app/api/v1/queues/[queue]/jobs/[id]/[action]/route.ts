import { jobActionRoute } from '@/lib/contract/api/job-action-routes';
import { CLAIM_ACTIONS, type ClaimAction } from '@/lib/contract/jobs/claim-requests';
import { JOB_ACTIONS, type JobAction } from '@/lib/contract/jobs/job-actions';
import { RedriveError } from '@/lib/contract/redrive-error';
import { refuseMethods, route } from '@/lib/server/routes/api-route';

/** Actions of an operator on one job, and of the worker that holds its claim. */
export const POST = route(jobActionRoute, {
  rate: 'work',
  records: ({ action }) => Object.hasOwn(JOB_ACTIONS, action),
  exact: ['result'],
  async handle({ broker, params: { queue, id, action }, body }): Promise<{ outcome: string }> {
    if (Object.hasOwn(JOB_ACTIONS, action)) return broker.jobs.act(queue, id, action as JobAction, body);
    if (Object.hasOwn(CLAIM_ACTIONS, action))
      return broker.claims.settle(queue, id, action as ClaimAction, body);
    const actions = [...Object.keys(JOB_ACTIONS), ...Object.keys(CLAIM_ACTIONS)].join(', ');
    throw new RedriveError('NOT_FOUND', `A job has no action ${action}. There are: ${actions}.`, {
      fields: [{ field: 'action', message: 'is unknown' }],
    });
  },
});

export const { GET, PUT, PATCH, DELETE } = refuseMethods('POST');
