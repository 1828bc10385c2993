/** Pauses: of a whole queue, of one tenant or of one job type. */
import { z } from 'zod';
import { nameSchema, reasonSchema } from '../name-schemas';
import { MONTH_MS } from '../time-units';
import type { PauseScope } from './snapshot-types';

export type { Pause, PauseScope } from './snapshot-types';

/** What a pause stops: the whole queue, one tenant, or one job type. */
export const pauseScopeSchema = z.union([
  z.literal('queue'),
  z.templateLiteral(['tenant:', nameSchema]),
  z.templateLiteral(['type:', nameSchema]),
]);

export const pauseSchema = z.object({
  scope: pauseScopeSchema,
  since: z.number(),
  /** The pause ends at this time; null: when a user resumes. */
  until: z.number().nullable(),
  actor: z.string(),
  reason: z.string(),
});
/** A pause, and the queue it is of. */
export const queuePauseSchema = pauseSchema.extend({ queue: z.string() });
export type QueuePause = z.infer<typeof queuePauseSchema>;

export const pauseRequestSchema = z.strictObject({
  scope: pauseScopeSchema.default('queue'),
  reason: reasonSchema,
  /** The pause ends after this long. */
  forMs: z
    .number()
    .int()
    .min(1_000, 'must be at least one second')
    .max(MONTH_MS, 'must be at most 30 days')
    .optional(),
});
/** With defaults left out. */
export interface PauseInput {
  /** Default `queue`. */
  scope?: PauseScope | undefined;
  /** Shown on every page while the pause lasts. */
  reason: string;
  /** The pause ends after this long, a second to 30 days. Left out: when a user resumes. */
  forMs?: number | undefined;
}
export type PauseRequest = z.output<typeof pauseRequestSchema>;
export const resumeRequestSchema = z.strictObject({
  scope: pauseScopeSchema.default('queue'),
  reason: reasonSchema.optional(),
});
