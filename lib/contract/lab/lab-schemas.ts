/** The lab: the demo worker's settings, changed live from the browser, and what its supervisor reports. */
import { z } from 'zod';
import { LAB_KINDS, LAB_MAX_WORKERS } from './lab-settings';

const percent = z.number().min(0).max(100);
export const labSettingsSchema = z.strictObject({
  workers: z.number().int().min(0).max(LAB_MAX_WORKERS),
  concurrency: z.number().int().min(1).max(20),
  runTimeMs: z.number().int().min(0).max(30_000),
  /** Run times spread evenly over mean ± this share of it. */
  runTimeSpreadPercent: percent,
  failPercent: percent,
  hangPercent: percent,
  /** A bad release: every run of these dies the same way, at once. */
  brokenKinds: z.array(z.enum(LAB_KINDS)).default([]),
  crashPercent: percent,
  trafficPerSecond: z.number().min(0).max(500),
  kinds: z.array(z.enum(LAB_KINDS)).min(1, 'keep at least one kind'),
  tenants: z.number().int().min(1).max(50),
  /** Share of jobs scheduled a few seconds ahead. */
  delayedPercent: percent,
  /** Share of jobs with a priority other than 0. */
  prioritisedPercent: percent,
  leaseMs: z.number().int().min(1_000).max(60_000),
  maxAttempts: z.number().int().min(1).max(50),
});
export type LabSettings = z.infer<typeof labSettingsSchema>;

/** A batch enqueued at once, to see a backlog form. */
export const labBurstSchema = z.strictObject({ jobs: z.number().int().min(1).max(5_000) });

const labProcessSchema = z.object({
  slot: z.number(),
  status: z.enum(['starting', 'running', 'crashed', 'backoff', 'stopping']),
  workerId: z.string().nullable(),
  pid: z.number().nullable(),
  /** Times this slot's process died. */
  crashes: z.number(),
  restartAt: z.number().nullable(),
  lastCrash: z.object({ at: z.number(), cause: z.string(), reclaimed: z.number() }).nullable(),
});
export type LabProcess = z.infer<typeof labProcessSchema>;

export const labCrashSchema = z.object({
  at: z.number(),
  workerId: z.string(),
  pid: z.number(),
  cause: z.string(),
  reclaimed: z.number(),
  jobs: z.array(z.object({ queue: z.string(), jobId: z.string() })),
});
export type LabCrash = z.infer<typeof labCrashSchema>;

export const labStateSchema = z.object({
  at: z.number(),
  settings: labSettingsSchema,
  /** Null when no supervisor has reported for a few seconds. */
  supervisor: z
    .object({
      pid: z.number(),
      host: z.string(),
      seenAt: z.number(),
      slots: z.array(labProcessSchema),
      enqueued: z.number(),
    })
    .nullable(),
  /** Latest first, at most 20. */
  crashes: z.array(labCrashSchema),
});
export type LabState = z.infer<typeof labStateSchema>;
