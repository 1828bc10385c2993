/** The user or token behind an operation or a schedule: its rights apply to each change. */
import { z } from 'zod';
import { SIGN_IN_METHODS } from '../access/access-limits';

/** The principal of an operation. Its runners check while they work that the principal is still authorized. */
export const operationRightsSchema = z.object({
  actor: z.string(),
  /** Stable id of the user or token. */
  actorId: z.string(),
  /** Of a token: its owner. */
  ownerId: z.string().optional(),
  method: z.enum(SIGN_IN_METHODS),
  via: z.string().optional(),
  address: z.string().optional(),
});
export type OperationRights = z.infer<typeof operationRightsSchema>;
