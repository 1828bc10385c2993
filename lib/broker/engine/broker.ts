/** What `createBroker` returns: the queues' engine, and what applications, workers and their tools ask besides. */
import type { ResendOptions } from '@/lib/contract/jobs/claim-options';
import type { EnqueueInput, EnqueueResult } from '@/lib/contract/jobs/envelope';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import type { OnceCounters } from '@/lib/contract/jobs/once-options';
import type { RetryRules } from '@/lib/contract/jobs/retry-policy';
import type {
  ConfigPatch,
  ConfigReply,
  DrainInput,
  QueueConfig,
  Sharding,
  ShardingInput,
} from '@/lib/contract/queues/queue-config';
import type { Redaction } from '@/lib/contract/redaction';
import type { HeldJob, Worker, WorkersPage } from '@/lib/contract/workers/worker-schemas';
import type { Actor } from '../access/actor';
import type { ReclaimResult } from '../jobs/maintenance/maintain-queue';
import type { OnceVerbs } from '../jobs/once-records';
import type { TenantFilter } from '../jobs/triage/triage-jobs';
import type { TriageOutcome } from '../jobs/triage/triage-verbs';
import type { MeasuredTimes } from '../queues/add-times';
import type { QueueReading } from '../queues/queue-reading';
import type { LedgerCheck } from '../queues/snapshot-queues';
import type { DatasetLoss } from '../redis/dataset/dataset';
import type { ScheduleSteps } from '../schedules/schedule-verbs';
import type { StoredRequest } from '../workers/request-row';
import type { WorkerReport } from '../workers/worker-registry';
import type { ReportedRelease, WorkerRelease } from '../workers/worker-releases';
import type { Engine } from './engine';

/** Changes jobs by id, up to 1,000 a call; safe to repeat. Answers what became of each, in the order given. */
type Triage = (
  queue: string,
  ids: readonly string[],
  by: Actor,
  /** Leaves jobs of other tenants alone. */
  only?: TenantFilter,
) => Promise<TriageOutcome[]>;

export interface ApplicationBroker extends Engine {
  /** First part of every key. */
  readonly prefix: string;

  /** As `enqueue`, sent again under the same id when no answer comes; see docs/library.md. @throws RedriveError UNKNOWN_OUTCOME */
  enqueueUntil(queue: string, input: EnqueueInput, resend?: ResendOptions): Promise<EnqueueResult>;
  enqueueManyUntil(
    queue: string,
    inputs: readonly EnqueueInput[],
    resend?: ResendOptions,
  ): Promise<EnqueueResult[]>;

  /** Scheduled and retrying jobs become ready now. */
  readonly promote: Triage;
  /** Waiting jobs become dead letters without a run. */
  readonly cancel: Triage;
  /** Dead letters become ready again. */
  readonly redrive: Triage;
  /** Dead letters are set aside. */
  readonly suppress: Triage;
  /** Dead letters go to the trash. */
  readonly purge: Triage;
  /** Brings back what `purge` and `suppress` took. */
  readonly restore: Triage;
  /** Deletes jobs that are not in flight. */
  remove(queue: string, ids: readonly string[], by?: Actor, only?: TenantFilter): Promise<TriageOutcome[]>;

  /** Takes back leases that expired, at most `limit`. */
  reclaim(queue: string, limit?: number, by?: Actor): Promise<ReclaimResult>;
  /** Takes back all jobs of a worker after its end. */
  reclaimWorker(
    queue: string,
    worker: string,
    cause: { errorCode: string; message: string },
  ): Promise<ReclaimResult & { jobIds: string[] }>;
  /** Refuses new jobs while the old ones finish, or takes them again. @returns whether that changed */
  drain(queue: string, request: DrainInput, by: Actor): Promise<boolean>;

  /** Settings of a queue. */
  readonly config: {
    get(queue: string): Promise<ConfigReply>;
    /** Changes the given settings. @throws RedriveError CONFLICT when `ifRevision` is not the present one */
    change(
      queue: string,
      patch: ConfigPatch,
      by: Actor,
      may?: (now: QueueConfig) => void,
    ): Promise<ConfigReply>;
  };
  /** Into how many hash slots a queue is spread, and by what. */
  readonly sharding: {
    get(queue: string): Promise<Sharding>;
    /** Only while the queue holds no jobs; the number only grows. */
    set(queue: string, input: ShardingInput, by: Actor): Promise<Sharding>;
  };
  /** The queue's retry rules as last read: cached for some seconds, kept while Redis is away. */
  retryRules(queue: string): Promise<RetryRules>;
  /** From enqueue to completion, of jobs that a worker completed. */
  addTimes(queue: string, times: MeasuredTimes): Promise<void>;

  /** Records of work that must not be done twice; `createOnce` puts them to use. */
  readonly once: OnceVerbs;

  readonly inspect: {
    /** Names of all queues, by letter; at most 100,000. */
    queues(): Promise<readonly string[]>;
    exists(queue: string): Promise<boolean>;
    /** Counts, ages and rates of queues, each as of one moment. */
    snapshot(
      queues: readonly string[],
      runTimesSince?: (queue: string) => number | undefined,
    ): Promise<QueueReading[]>;
    /** Redacted; see docs/redaction.md. @throws RedriveError JOB_NOT_FOUND */
    job(queue: string, jobId: string, only?: TenantFilter): Promise<JobDetail>;
    /** With hidden values: for the application itself. @throws RedriveError JOB_NOT_FOUND */
    unmasked(queue: string, jobId: string, only?: TenantFilter): Promise<JobDetail>;
    /** Whether enqueued jobs equal those in states and those deleted. */
    ledger(queue: string): Promise<LedgerCheck>;
    /** How often `once` let work through, and how often not. */
    onceCounts(): Promise<OnceCounters>;
    /** The redaction rules of a queue's payloads. */
    redaction(queue: string): Promise<Redaction>;
  };

  /** The steps that `createSchedule` and its like are made of. */
  readonly schedules: ScheduleSteps;
  /** Whether the data of this Redis are still those that were there before: see docs/connections.md. */
  readonly dataset: {
    look(): Promise<void>;
    state(): { readonly loss: DatasetLoss | null; readonly losses: number };
    /** @returns what ends it */
    onLoss(listener: (loss: DatasetLoss) => void): () => void;
  };
  /** What worker processes say of themselves. */
  readonly workers: {
    report(
      report: WorkerReport,
      schemas?: string,
      release?: ReportedRelease | null,
    ): Promise<StoredRequest | null>;
    ended(
      workerId: string,
      status: 'crashed' | 'stopped',
      end: NonNullable<Worker['end']>,
      held?: readonly HeldJob[],
    ): Promise<void>;
    /** Workers seen within a day, most recent first, at most 200. */
    list(): Promise<WorkersPage>;
    /** What releases of workers can run that were seen within a day. */
    releases(): Promise<{ at: number; releases: WorkerRelease[] }>;
  };
}
