/** `openEngine`: what applications, workers and their tools do with jobs. The console's broker adds its own verbs to it. */
import type { ResendOptions } from '@/lib/contract/jobs/claim-options';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import type { Sharding } from '@/lib/contract/queues/queue-config';
import { type Actor, SYSTEM } from './access/actor';
import { claimBehindWait } from './jobs/claim/claim-behind-wait';
import { abandon, claim, exchange } from './jobs/claim/claim-jobs';
import { ack, extend, fail, release } from './jobs/claim/settle-jobs';
import { enqueue, enqueueMany, enqueueManyUntil, enqueueUntil } from './jobs/enqueue/enqueue-jobs';
import { createResender } from './jobs/enqueue/resend-enqueue';
import { DueMaintenance, type DueMaintenanceOptions } from './jobs/maintenance/maintain-due';
import { maintain, reclaim, reclaimWorker } from './jobs/maintenance/maintain-queue';
import { ONCE_VERBS, onceCounters } from './jobs/once-records';
import { readJob, readUnmaskedJob } from './jobs/read/job-detail';
import { type TenantFilter, triageJobs } from './jobs/triage/triage-jobs';
import type { TriageVerb } from './jobs/triage/triage-verbs';
import { addTimes, type MeasuredTimes } from './queues/add-times';
import { setSharding } from './queues/change-sharding';
import { drain, pause, resume } from './queues/pause-queue';
import { restoreShardings } from './queues/recover-resharding';
import { forgetRedactions, readRedaction } from './queues/settings/queue-redaction';
import { forgetRetryRules, retryRules } from './queues/settings/queue-retry-rules';
import { changeConfig, getConfig } from './queues/settings/sharded-settings';
import { checkLedger, snapshotQueues } from './queues/snapshot-queues';
import { bindVerbs } from './redis/bind-verbs';
import { serverNow } from './redis/server-info';
import type { Waiter } from './redis/waiter';
import { SCHEDULE_VERBS } from './schedules/schedule-verbs';
import { forgetRegistry, queueExists, readQueueNames } from './shards/queue-registry';
import type { ShardedContext } from './shards/sharded-context';
import { createShardedWaiter } from './shards/sharded-waiter';
import { listWorkers, reportWorker, reportWorkerEnd } from './workers/worker-registry';
import { readReleases } from './workers/worker-releases';

/** Caches of the data, besides the layouts of queues. */
const FORGET_ON_LOSS = [forgetRegistry, forgetRetryRules, forgetRedactions];

/** The methods trust the types of what they are given; `createBroker` checks the input of applications. */
export function openEngine(ctx: ShardedContext) {
  const resender = createResender(() => ctx.ready());
  const waiters = new Set<Waiter>();
  const due = new DueMaintenance(ctx);
  ctx.dataset.onLoss(({ kind }) => {
    const layouts = ctx.shards.forget();
    if (kind === 'emptied') void restoreShardings(ctx, layouts);
    for (const forget of FORGET_ON_LOSS) forget(ctx);
  });
  const triage =
    (verb: TriageVerb) => (queue: string, ids: readonly string[], by: Actor, only?: TenantFilter) =>
      triageJobs(ctx, verb, queue, ids, by, only);
  return {
    prefix: ctx.keys.prefix,
    /** Connects and checks the server. @throws RedriveError REDIS_UNSAFE | DATA_NEWER | REDIS_UNAVAILABLE */
    ready: ctx.ready,
    now: () => serverNow(ctx),
    ...bindVerbs(ctx, { enqueue, enqueueMany, claim, exchange, abandon, ack, fail, extend, release }),
    /** From enqueue to completion, of jobs that a worker completed. */
    addTimes: (queue: string, times: MeasuredTimes) => addTimes(ctx, queue, times),
    /** As `enqueue`, sent again under the same ids when no answer comes; see docs/library.md. */
    enqueueUntil: (queue: string, input: EnqueueInput, resend: ResendOptions = {}) =>
      enqueueUntil(ctx, resender, queue, input, resend),
    enqueueManyUntil: (queue: string, inputs: readonly EnqueueInput[], resend: ResendOptions = {}) =>
      enqueueManyUntil(ctx, resender, queue, inputs, resend),
    promote: triage('promote'),
    cancel: triage('cancel'),
    remove: (queue: string, ids: readonly string[], by: Actor = SYSTEM, only?: TenantFilter) =>
      triageJobs(ctx, 'remove', queue, ids, by, only),
    redrive: triage('redrive'),
    suppress: triage('suppress'),
    purge: triage('purge'),
    restore: triage('restore'),
    ...bindVerbs(ctx, { maintain, reclaim, reclaimWorker, pause, resume, drain }),
    /** Of any number of queues: takes back expired leases and does what else fell due, at little cost where nothing did. */
    maintainDue: (queues: readonly string[], options?: DueMaintenanceOptions) =>
      due.maintain(queues, options),
    config: bindVerbs(ctx, { get: getConfig, change: changeConfig }),
    /** The queue's retry rules as last read: cached for some seconds, kept while Redis is away. */
    retryRules: async (queue: string) => retryRules(ctx, ctx.shards.check(queue)),
    /** Records of work that must not be done twice; `createOnce` puts them to use. */
    once: bindVerbs(ctx, ONCE_VERBS),
    sharding: {
      /** Into how many hash slots the queue is spread, and by what. */
      get: async (queue: string): Promise<Sharding> => {
        const { count, by } = await ctx.shards.fresh(queue);
        return { count, by };
      },
      /** Only while the queue holds no jobs; the number only grows. */
      set: (queue: string, input: Sharding, by: Actor) => setSharding(ctx, queue, input, by),
    },
    /** A claim that stands in line behind a blocking wait; null where a queue cannot be claimed from so. */
    ...bindVerbs(ctx, { claimBehindWait }),
    /** A blocking wait for work, on its own connection. */
    waiter: (): Waiter => {
      const waiter = createShardedWaiter(ctx);
      const close = () => {
        waiters.delete(waiter);
        waiter.close();
      };
      if (ctx.isClosed()) waiter.close();
      else waiters.add(waiter);
      return { ...waiter, close };
    },
    inspect: {
      /** The redaction rules of a queue's payloads. */
      redaction: (queue: string) => readRedaction(ctx, ctx.shards.check(queue)),
      ...bindVerbs(ctx, {
        /** Names of all queues, by letter; at most 100,000. */
        queues: readQueueNames,
        exists: queueExists,
        snapshot: snapshotQueues,
        /** Redacted; see docs/redaction.md. */
        job: readJob,
        /** With hidden values: for the application itself. */
        unmasked: readUnmaskedJob,
        ledger: checkLedger,
        /** How often `once` let work through, and how often not. */
        onceCounts: onceCounters,
      }),
    },
    /** The steps schedules are made of; see lib/broker/schedules. */
    schedules: bindVerbs(ctx, SCHEDULE_VERBS),
    /** Whether the data of this Redis are still those that were there before: see docs/connections.md. */
    dataset: { look: ctx.dataset.look, state: ctx.dataset.state, onLoss: ctx.dataset.onLoss },
    workers: bindVerbs(ctx, {
      report: reportWorker,
      ended: reportWorkerEnd,
      list: listWorkers,
      /** What releases of workers can run that were seen within a day. */
      releases: readReleases,
    }),
    /** Ends all waits, and the connection if the broker opened it. Every call from now on is refused: CLIENT_CLOSED. */
    close: () => {
      for (const waiter of waiters) waiter.close();
      waiters.clear();
      resender.close();
      ctx.close();
    },
  };
}
