/** The settings of a queue, written to be read: the schemas of queue-config.ts check the same shapes, which queue-settings.test.ts holds together. */
import type { ErrorClass } from '../jobs/error-classes';

/** A token bucket. Counts claims, not jobs: a retry takes a token again. */
export interface RateLimit {
  /** Claims a second, 0.001 to 1,000,000. */
  perSecond: number;
  /** Claims at once after an idle period. */
  burst: number;
}

export interface TenantLimit {
  /** Null: no limit. */
  rate: RateLimit | null;
  /** Jobs of the tenant in flight at once; null: no limit. */
  concurrency: number | null;
}

export interface RetryCurve {
  /** How the delay grows: by `factor` each time, by `baseMs` each time, or not at all. Default `exponential`. */
  curve?: 'exponential' | 'linear' | 'fixed' | undefined;
  /** Delay before the second attempt. */
  baseMs: number;
  /** Each further delay is this many times longer, 1 to 100. */
  factor: number;
  /** Never longer than this, jitter included. */
  maxMs: number;
  /** 0 to 1. With 0.5 a delay is up to half as long again, at random, so that jobs that failed together do not return together. */
  jitter: number;
}

/** What to do with a failure, of a queue or a job type. */
export interface RetryRule {
  /** Null: the worker's. */
  policy: RetryCurve | null;
  /** Caps the attempts that a producer asked for; null: does not. */
  maxAttempts: number | null;
  /** Classes that are tried again; all others are dead at once. */
  classes: Exclude<ErrorClass, 'deadline' | 'crash' | 'cancelled'>[];
}

export interface QueueConfig {
  /** Jobs that may wait (ready, scheduled, retry and held); above it new jobs are refused as `queue-full`. Null: no limit. */
  depthLimit: number | null;
  /** Share of `depthLimit` from which on jobs with `critical: false` are refused as `shed`. Null: never. */
  shedAtPercent: number | null;
  /** Claims of the whole queue. Null: no limit. */
  rate: RateLimit | null;
  /** Jobs in flight at once, across all workers. Null: no limit. */
  concurrency: number | null;
  /** Of each tenant. Null: no limit. */
  tenantLimit: TenantLimit | null;
  /** Of single tenants, instead of `tenantLimit`; at most 100. */
  tenantLimits: Record<string, TenantLimit>;
  /** `tenant`: tenants take turns, so that a tenant with many jobs does not delay the others. Default `none`: first in, first out. */
  fair: 'none' | 'tenant';
  /** Objective: age of the oldest ready job. Default two minutes. A missed objective is a finding. */
  objectiveAgeMs: number;
  /** Objective: share of runs that fail or are lost. Default 20. */
  objectiveFailurePercent: number;
  /** Objective: jobs that wait. Nothing is refused. Null: none. */
  objectiveDepth: number | null;
  /** After so many worker crashes in its runs a job is dead, with class `crash`. Default 5. */
  maxDeliveries: number;
  retry: RetryRule;
  /** Of single job types, instead of `retry`; at most 100. */
  retryByType: Record<string, RetryRule>;
  /** The queue keeps completed jobs, by number (default 1,000), time and size: the first limit reached applies. */
  completedKeep: number;
  completedKeepMs: number | null;
  completedKeepBytes: number | null;
  /** How long the queue remembers the id of a job that left it, so that sending it again does not run it again. Default ten minutes. */
  resendWindowMs: number;
  /** Dead jobs are deleted permanently after this. Null: never. */
  deadKeepMs: number | null;
  /** How long a purged job can be restored. Default one hour. */
  trashGraceMs: number;
  /** Operations that delete jobs or overwrite payloads need the approval of another user. */
  purgeNeedsApproval: boolean;
  /** Which values of payloads and results are hidden; see docs/redaction.md. Empty: none. */
  redact: string[];
}

/** A change of the given settings; the others stay. */
export interface ConfigPatch
  extends Partial<Omit<QueueConfig, 'tenantLimit' | 'tenantLimits' | 'retry' | 'retryByType'>> {
  tenantLimit?: Partial<TenantLimit> | null | undefined;
  tenantLimits?: Record<string, Partial<TenantLimit>> | undefined;
  retry?: Partial<RetryRule> | undefined;
  retryByType?: Record<string, Partial<RetryRule>> | undefined;
  /** Kept with the change. */
  reason?: string | undefined;
  /** Refuses the change when another user changed the settings meanwhile. */
  ifRevision?: number | undefined;
}

/** Into how many hash slots a queue is spread, and by what. */
export interface Sharding {
  count: number;
  /** `tenant` keeps each tenant in one shard, so that fairness and tenant limits stay exact. */
  by: 'id' | 'tenant';
}

export interface ConfigReply {
  config: QueueConfig;
  /** Goes up with every change. */
  revision: number;
  /** Null: the queue takes new jobs. */
  draining: { since: number; actor: string; reason: string } | null;
  shards: Sharding;
}
