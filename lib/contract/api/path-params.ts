/** Path parameters of the API. */
import { z } from 'zod';
import { userIdSchema } from '@/lib/contract/access/access-records';
import { jobIdSchema, nameSchema, queueNameSchema, workerIdSchema } from '@/lib/contract/name-schemas';
import { OPERATION_ACTIONS } from '@/lib/contract/operations/operation-kinds';
import { groupIdSchema } from '@/lib/contract/search/search-schemas';

export const queueParams = z.object({ queue: queueNameSchema });
export const jobParams = z.object({ queue: queueNameSchema, id: jobIdSchema });
export const actionParams = z.object({ queue: queueNameSchema, id: jobIdSchema, action: nameSchema });
export const operationParams = z.object({ id: nameSchema });
export const operationActionParams = operationParams.extend({
  action: z.enum(OPERATION_ACTIONS, `must be one of ${OPERATION_ACTIONS.join(', ')}`),
});
export const groupParams = z.object({ group: groupIdSchema });
export const searchParams = z.object({ id: nameSchema });
export const scheduleParams = z.object({ id: nameSchema });

export const workerParams = z.object({ id: workerIdSchema });

/** A session's or token's. */
export const accessIdParams = z.object({ id: nameSchema });
export const userIdParams = z.object({ id: userIdSchema });
/** `?all=1`: everybody's. */
export const allQuery = z.strictObject({ all: z.literal('1', 'must be 1, or left out').optional() });
