/** Path parameters of the API. */
import { z } from 'zod';
import { groupIdSchema } from '@/lib/contract/dead';
import { jobIdSchema, nameSchema, queueNameSchema } from '@/lib/contract/names';
import { OPERATION_ACTIONS } from '@/lib/contract/operations';

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
