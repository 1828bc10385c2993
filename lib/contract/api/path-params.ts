/** Path parameters of the API. */
import { z } from 'zod';
import { userIdSchema } from '@/lib/contract/access/access-records';
import { jobIdSchema, nameSchema, queueNameSchema, workerIdSchema } from '@/lib/contract/name-schemas';
import { OPERATION_ACTIONS } from '@/lib/contract/operations/operation-kinds';
import { groupIdSchema } from '@/lib/contract/search/search-schemas';

export const queueParams = z.object({ queue: queueNameSchema });
export const jobParams = z.object({ queue: queueNameSchema, id: jobIdSchema });
export const actionParams = z.object({ queue: queueNameSchema, id: jobIdSchema, action: nameSchema });
/** Of an operation, a saved search, a schedule, a session, an API token, an alert or a silence. */
export const idParams = z.object({ id: nameSchema });
export const operationActionParams = idParams.extend({
  action: z.enum(OPERATION_ACTIONS, `must be one of ${OPERATION_ACTIONS.join(', ')}`),
});
export const groupParams = z.object({ group: groupIdSchema });
export const channelParams = z.object({ name: nameSchema });
export const workerParams = z.object({ id: workerIdSchema });
export const userIdParams = z.object({ id: userIdSchema });
/** `?all=1`: everybody's. */
export const allQuery = z.strictObject({ all: z.literal('1', 'must be 1, or left out').optional() });
