/** The nine places a job can be. A job is in exactly one of them at every instant. */

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
export type JobState = (typeof JOB_STATES)[number];

export const JOB_STATE_MEANING: Readonly<Record<JobState, string>> = {
  ready: 'Waits for a worker to claim it',
  'in-flight': 'Claimed by a worker under a lease',
  scheduled: 'Waiting for the time its producer set',
  retry: 'Failed; waiting out its backoff',
  held: 'Ready, but its tenant or job type is paused, or its tenant is at its limit',
  completed: 'Done; kept for a capped history',
  dead: 'In the dead-letter queue',
  suppressed: 'A dead job someone decided to ignore',
  trashed: 'Purged; restorable until its grace period ends',
};
export type StateCounts = Record<JobState, number>;
