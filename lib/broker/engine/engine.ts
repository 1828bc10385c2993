/**
 * What a queue does for producers and workers, whatever holds its jobs. Written by hand: applications read it, and each engine is judged by it.
 * Every method may throw RedriveError REDIS_UNAVAILABLE, and CLIENT_CLOSED after `close`.
 */
import type { ClaimOptions, ClaimRef } from '@/lib/contract/jobs/claim-options';
import type { EnqueueInput, EnqueueResult } from '@/lib/contract/jobs/envelope';
import type { PauseInput, PauseScope } from '@/lib/contract/queues/pause-schemas';
import type { Actor } from '../access/actor';
import type { ClaimBehindWait } from '../jobs/claim/claim-behind-wait';
import type { ClaimResult } from '../jobs/claim/claim-from-shard';
import type { ExchangeResult } from '../jobs/claim/exchange-in-shard';
import type { FailItem, FailOutcome } from '../jobs/claim/fail-jobs';
import type {
  AckItem,
  AckOutcome,
  ExtendOutcome,
  ReleaseItem,
  ReleaseOutcome,
} from '../jobs/claim/settle-jobs';
import type { EnqueueAudit } from '../jobs/enqueue/send-entries';
import type { DueMaintenanceOptions, DueMaintenanceResult } from '../jobs/maintenance/maintain-due';
import type { MaintainResult } from '../jobs/maintenance/maintain-queue';
import type { Waiter } from '../redis/waiter';
import type { AbandonOptions } from '../shards/sharded-context';

export interface Engine {
  /** Connects and checks the server. @throws RedriveError REDIS_UNSAFE | DATA_NEWER | REDIS_UNAVAILABLE */
  ready(): Promise<{ version: string }>;
  /** The server's time in ms since 1970. */
  now(): Promise<number>;

  /** Adds one job, sent once. @throws RedriveError VALIDATION naming each wrong field */
  enqueue(queue: string, input: EnqueueInput, note?: EnqueueAudit): Promise<EnqueueResult>;
  /** Adds up to 1,000 jobs. All are checked before any is sent; outcomes in the order given. */
  enqueueMany(queue: string, inputs: readonly EnqueueInput[], note?: EnqueueAudit): Promise<EnqueueResult[]>;

  /** Hands out ready jobs, each with a lease and a token. The token fences every later word about that claim. */
  claim(queue: string, options: ClaimOptions): Promise<ClaimResult>;
  /** Acknowledges jobs and claims others in one atomic step for each shard. */
  exchange(queue: string, acks: readonly AckItem[], options: ClaimOptions): Promise<ExchangeResult>;
  /** A claim that stands in line behind a blocking wait; null where a queue cannot be claimed from so. */
  claimBehindWait(queue: string, options: ClaimOptions): ClaimBehindWait | null;
  /** Gives back what a claim with this nonce took when its reply was lost. @returns how many jobs */
  abandon(queue: string, nonce: string, options?: AbandonOptions): Promise<number>;

  /** Completes jobs. `stale`: the claim is over, nothing was changed. */
  ack(queue: string, items: readonly AckItem[]): Promise<AckOutcome[]>;
  /** Ends attempts in failure: the queue's retry rule, or the caller, decides between retry and dead letter. */
  fail(queue: string, items: readonly FailItem[]): Promise<FailOutcome[]>;
  /** Moves the end of leases to `leaseMs` from now. */
  extend(queue: string, items: readonly ClaimRef[], leaseMs: number): Promise<ExtendOutcome[]>;
  /** Gives jobs back without an attempt used. */
  release(queue: string, items: readonly ReleaseItem[]): Promise<ReleaseOutcome[]>;

  /** A blocking wait for work, on its own connection. */
  waiter(): Waiter;
  /** Takes back expired leases and makes due jobs ready, in one queue, within a budget. */
  maintain(queue: string): Promise<MaintainResult>;
  /** The same for any number of queues, at little cost where nothing fell due. */
  maintainDue(queues: readonly string[], options?: DueMaintenanceOptions): Promise<DueMaintenanceResult>;

  /** Hands out no more jobs of the queue, a tenant or a job type. */
  pause(queue: string, request: PauseInput, by: Actor): Promise<void>;
  /** @returns whether there was such a pause */
  resume(queue: string, scope?: PauseScope, by?: Actor): Promise<boolean>;

  /** Ends all waits, and the connection if the engine opened it. */
  close(): void;
}
