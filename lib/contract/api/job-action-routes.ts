/** Routes of the HTTP API: actions on one job, of an operator and of the worker that holds its claim. One address for each. */
import { z } from 'zod';
import { jobActionPermission } from '../access/action-permissions';
import { CLAIM_ACTIONS, type ClaimAction } from '../jobs/claim-requests';
import type { JobAction } from '../jobs/job-actions';
import type { ErrorCode } from '../redrive-error';
import { actionRequestSchema, actionResultSchema } from '../request-schemas';
import { describeRoute } from './describe-route';
import { actionParams, jobParams } from './path-params';

/** What the console serves; the routes below are what it means. */
export const jobActionRoute = describeRoute({
  method: 'POST',
  path: '/api/v1/queues/{queue}/jobs/{id}/{action}',
  summary: 'Act on a job',
  // Each action needs another permission.
  permission: 'signed-in',
  params: actionParams,
  body: z.unknown(),
  reply: actionResultSchema,
});

const pathOf = <Action extends string>(action: Action) =>
  `/api/v1/queues/{queue}/jobs/{id}/${action}` as const;

const ofOperator = (action: JobAction, summary: string) =>
  describeRoute({
    method: 'POST',
    path: pathOf(action),
    summary,
    permission: jobActionPermission(action),
    params: jobParams,
    body: actionRequestSchema,
    reply: actionResultSchema,
    errors: ['WRONG_STATE'],
  });

const ofClaim = <Action extends ClaimAction>(
  action: Action,
  summary: string,
  errors: readonly ErrorCode[] = ['STALE_CLAIM'],
) =>
  describeRoute({
    method: 'POST',
    path: pathOf(action),
    summary,
    permission: 'work',
    params: jobParams,
    body: CLAIM_ACTIONS[action],
    reply: actionResultSchema,
    errors,
  });

export const jobActionRoutes = {
  redriveJob: ofOperator('redrive', 'Re-drive a dead or suppressed job'),
  promoteJob: ofOperator('promote', 'Make a scheduled or retrying job ready now'),
  suppressJob: ofOperator('suppress', 'Suppress a dead job'),
  restoreJob: ofOperator('restore', 'Restore a trashed or suppressed job'),
  cancelJob: ofOperator('cancel', 'Cancel a job that has not ended'),
  purgeJob: ofOperator('purge', 'Move a dead or suppressed job to the trash'),
  removeJob: ofOperator('remove', 'Delete a job for good'),
  ackJob: ofClaim('ack', 'Complete a claimed job, with its result'),
  failJob: ofClaim('fail', 'Fail a claimed job; error class and retry rule say what follows'),
  extendJob: ofClaim('extend', 'Extend the lease of a claimed job'),
  releaseJob: ofClaim('release', 'Release a claimed job without using an attempt'),
} as const;
