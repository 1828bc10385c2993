/** Queues, job kinds and default settings of the lab. */

export const LAB_QUEUES = { critical: 6, default: 3, low: 1 } as const;
export const LAB_KINDS = ['email.send', 'webhook.deliver', 'thumbnail.render', 'invoice.issue'] as const;
export const LAB_MAX_WORKERS = 16;
/** The connections of the demo's workers have this name in Redis. */
export const LAB_CONNECTION_NAME = 'redrive-lab-worker';
/** The supervisor measures the lab's queues this often … */
export const LAB_SAMPLE_EVERY_MS = 2_000;
/** … and so many measurements are kept: five minutes. */
export const LAB_SAMPLES_MAX = 150;

export const LAB_DEFAULTS = {
  workers: 4,
  concurrency: 3,
  runTimeMs: 400,
  runTimeSpreadPercent: 60,
  failPercent: 5,
  hangPercent: 0,
  brokenKinds: [] as (typeof LAB_KINDS)[number][],
  outageKinds: [] as (typeof LAB_KINDS)[number][],
  crashPercent: 0,
  slowReclaim: false,
  trafficPerSecond: 8,
  kinds: [...LAB_KINDS],
  tenants: 6,
  delayedPercent: 10,
  prioritisedPercent: 20,
  leaseMs: 8_000,
  maxAttempts: 8,
};
