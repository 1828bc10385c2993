/** What the paths and queries of /api/v1/access hold. */
import { z } from 'zod';
import { personIdSchema } from '@/lib/contract/access-rows';
import { nameSchema } from '@/lib/contract/names';

/** A session's or token's. */
export const accessIdParams = z.object({ id: nameSchema });
export const personIdParams = z.object({ id: personIdSchema });
/** `?all=1`: everybody's. */
export const allQuery = z.strictObject({ all: z.literal('1', 'must be 1, or left out').optional() });
