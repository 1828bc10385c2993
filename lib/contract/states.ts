/** The nine places a job can be. A job is in exactly one of them at every instant. */
import { z } from 'zod';

export const JOB_STATES = [
  'ready',
  'in-flight',
  'scheduled',
  'retry',
  'held',
  'completed',
  'dead',
  'suppressed',
  'trashed',
] as const;
export const jobStateSchema = z.enum(JOB_STATES);
export type JobState = z.infer<typeof jobStateSchema>;

export const STATE_MEANING: Readonly<Record<JobState, string>> = {
  ready: 'May be claimed now',
  'in-flight': 'Claimed by a worker under a lease',
  scheduled: 'Waiting for the time its producer set',
  retry: 'Failed; waiting out its backoff',
  held: 'Ready, but its tenant or job type is paused, or its tenant is at its limit',
  completed: 'Done; kept for a capped history',
  dead: 'In the dead-letter queue',
  suppressed: 'A dead job someone decided to ignore',
  trashed: 'Purged; restorable until its grace period ends',
};

export const countsSchema = z.object({
  ready: z.number().int(),
  'in-flight': z.number().int(),
  scheduled: z.number().int(),
  retry: z.number().int(),
  held: z.number().int(),
  completed: z.number().int(),
  dead: z.number().int(),
  suppressed: z.number().int(),
  trashed: z.number().int(),
});
export type Counts = z.infer<typeof countsSchema>;
