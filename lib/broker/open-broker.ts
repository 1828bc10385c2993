/** `openBroker`: everything an application, a worker or the console does with jobs goes through a broker. */
import type { ResendOptions } from '@/lib/contract/jobs/claim-options';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import type { Sharding } from '@/lib/contract/queues/queue-config';
import { accessVerbs } from './access';
import { type Actor, SYSTEM } from './access/actor';
import { alertVerbs } from './alerts';
import { auditVerbs } from './audit';
import { addMark } from './history/deploy-marks';
import { foldAllQueues } from './history/fold-all-queues';
import { readHistory } from './history/read-history';
import { readMarks } from './history/read-marks';
import { claimBehindWait } from './jobs/claim/claim-behind-wait';
import { abandon, claim, exchange } from './jobs/claim/claim-jobs';
import { ack, extend, fail, release } from './jobs/claim/settle-jobs';
import { enqueue, enqueueMany, enqueueManyUntil, enqueueUntil } from './jobs/enqueue/enqueue-jobs';
import { createResender } from './jobs/enqueue/resend-enqueue';
import { DueMaintenance, type DueMaintenanceOptions } from './jobs/maintenance/maintain-due';
import { maintain, reclaim, reclaimWorker } from './jobs/maintenance/maintain-queue';
import { ONCE_VERBS, onceCounters } from './jobs/once-records';
import { checkDuplicate } from './jobs/read/duplicate-check';
import { readJob, readUnmaskedJob } from './jobs/read/job-detail';
import { type TenantFilter, triageJobs } from './jobs/triage/triage-jobs';
import type { TriageVerb } from './jobs/triage/triage-verbs';
import { readLabEvents } from './lab/lab-events';
import * as lab from './lab/lab-records';
import { readLabSamples, resetLabSession } from './lab/lab-samples';
import { readLabState } from './lab/lab-state';
import { noticeDrill, readLatestDrill, sampleLab, startDrill, stopDrill } from './lab/run-drill';
import { operationVerbs } from './operations';
import { addTimes, type MeasuredTimes } from './queues/add-times';
import { setSharding } from './queues/change-sharding';
import { readMinuteCounts } from './queues/minute-counts';
import { drain, pause, resume } from './queues/pause-queue';
import { readQueueBreakdown } from './queues/queue-breakdown';
import { readQueueChanges } from './queues/queue-changes';
import { readQueueMemory } from './queues/queue-memory';
import { readQueueMovements } from './queues/queue-movements';
import { restoreShardings } from './queues/recover-resharding';
import { forgetRedactions, readRedaction } from './queues/settings/queue-redaction';
import { forgetRetryRules, retryRules } from './queues/settings/queue-retry-rules';
import { changeConfig, getConfig } from './queues/settings/sharded-settings';
import { checkLedger, snapshotQueues } from './queues/snapshot-queues';
import { bindVerbs } from './redis/bind-verbs';
import { type BrokerOptions, createContext } from './redis/broker-context';
import { checkRedis } from './redis/checks/check-redis';
import { readRedisTrouble } from './redis/checks/redis-trouble';
import { createRecordedLoss } from './redis/dataset/recorded-loss';
import { serverNow, usedMemoryBytes } from './redis/server-info';
import type { Waiter } from './redis/waiter';
import { SCHEDULE_VERBS } from './schedules/schedule-verbs';
import { countFacets } from './search/facets/count-facets';
import { findJobs } from './search/find/find-jobs';
import { findStream } from './search/find/find-stream';
import { changeGroup } from './search/groups/change-group';
import { listGroups, readGroup } from './search/groups/failure-groups';
import { forgetCursorKey } from './search/list-cursor';
import { listJobs } from './search/list-jobs';
import { readMatches } from './search/read-matches';
import { savedSearchVerbs } from './search/saved-searches';
import { searchPage } from './search/search-page';
import { searchStream } from './search/stream-search';
import { suggest } from './search/suggest-terms';
import {
  countQueues,
  countUnreadNames,
  forgetRegistry,
  queueExists,
  readQueueNames,
} from './shards/queue-registry';
import { withShards } from './shards/sharded-context';
import { createShardedWaiter } from './shards/sharded-waiter';
import { UnusedNames } from './shards/unused-queues';
import { forgetHandlers } from './workers/known-handlers';
import { requestWorkers } from './workers/request-workers';
import { listWorkers, readHeldJobs, reportWorker, reportWorkerEnd } from './workers/worker-registry';
import { readReleases } from './workers/worker-releases';

/** Caches of the data, besides the layouts of queues. */
const FORGET_ON_LOSS = [forgetRegistry, forgetRetryRules, forgetRedactions, forgetHandlers, forgetCursorKey];

/** The methods trust the types of what they are given; `createBroker` checks the input of applications. */
export function openBroker(options: BrokerOptions) {
  const ctx = withShards(createContext(options));
  const resender = createResender(() => ctx.ready());
  const waiters = new Set<Waiter>();
  const due = new DueMaintenance(ctx);
  ctx.dataset.onLoss(({ kind }) => {
    const layouts = ctx.shards.forget();
    if (kind === 'emptied') void restoreShardings(ctx, layouts);
    for (const forget of FORGET_ON_LOSS) forget(ctx);
  });
  const unused = new UnusedNames(ctx);
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
    /** Adds the last minutes of all queues together to their history; any number of consoles may. */
    ...bindVerbs(ctx, { foldAllQueues }),
    ...bindVerbs(ctx, { maintain, reclaim, reclaimWorker, pause, resume, drain }),
    /** Of any number of queues: takes back expired leases and does what else fell due, at little cost where nothing did. */
    maintainDue: (queues: readonly string[], options?: DueMaintenanceOptions) =>
      due.maintain(queues, options),
    /** Forgets names of queues without rows that no producer entered lately, a few a call. */
    forgetUnused: () => unused.forget(),
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
      ...bindVerbs(ctx, {
        /** Names of all queues, by letter; at most 100,000. */
        queues: readQueueNames,
        registered: countQueues,
        /** Members of the registry that the last reading left out because there are too many. */
        unreadNames: countUnreadNames,
        exists: queueExists,
        snapshot: snapshotQueues,
        minutes: readMinuteCounts,
        /** The past of queues by minute, or of all queues together; see docs/history.md. */
        history: readHistory,
        /** What users changed in that time, for charts. */
        marks: readMarks,
        list: listJobs,
        /** Redacted; see docs/redaction.md. */
        job: readJob,
        /** With hidden values: for the application itself. */
        unmasked: readUnmaskedJob,
        ledger: checkLedger,
        movements: readQueueMovements,
        /** A page of what matches a query, in one state; see docs/search.md. */
        search: searchPage,
        /** The same as it is found, until its limit, its end, or an abort. */
        searchStream,
        /** Jobs by id, uniqueness key or idempotency key, over all queues and states; see docs/search.md. */
        find: findJobs,
        /** Jobs by idempotency key, correlation id or trace id, over all states, as they are found. */
        findStream,
        facets: countFacets,
        groups: listGroups,
        group: readGroup,
        suggest,
        /** All that matches, with payloads: for exports. */
        matching: readMatches,
        /** What users changed about a queue, newest first. */
        changes: readQueueChanges,
        /** Ready and completed jobs by tenant and type, and ready ones by priority. */
        breakdown: readQueueBreakdown,
        /** Estimated bytes of each key of a queue. */
        queueMemory: readQueueMemory,
        /** How often `once` let work through, and how often not. */
        onceCounts: onceCounters,
        memory: usedMemoryBytes,
        /** Is this Redis fit for jobs: every check, on each server. */
        redis: checkRedis,
        /** Memory that runs out, and data that are not saved. */
        redisTrouble: readRedisTrouble,
      }),
      /** The answer to sending a job again, as far as the sender may see both; null: nothing of it is hidden. */
      checkDuplicate: (queue: string, input: EnqueueInput) =>
        checkDuplicate(ctx, ctx.shards.check(queue), input),
      /** The redaction rules of a queue's payloads. */
      redaction: (queue: string) => readRedaction(ctx, ctx.shards.check(queue)),
    },
    /** Marks in the charts of the history. */
    marks: bindVerbs(ctx, { add: addMark }),
    groups: bindVerbs(ctx, { change: changeGroup }),
    /** Operations that run in the background, on a set frozen at confirmation. */
    operations: operationVerbs(ctx),
    /** Sessions, users and API tokens: see docs/sign-in.md. */
    access: accessVerbs(ctx),
    /** Findings that last, and who was told: see docs/operate/alerts.md. */
    alerts: alertVerbs(ctx),
    /** Who did what: see docs/audit.md. */
    audit: auditVerbs(ctx),
    /** The steps schedules are made of; see lib/broker/schedules. */
    schedules: bindVerbs(ctx, SCHEDULE_VERBS),
    searches: savedSearchVerbs(ctx),
    /** Whether the data of this Redis are still those that were there before: see docs/connections.md. */
    dataset: {
      look: ctx.dataset.look,
      state: ctx.dataset.state,
      onLoss: ctx.dataset.onLoss,
      /** Looks, and answers with the last loss of a day: the same in each console. */
      loss: createRecordedLoss({
        dataset: ctx.dataset,
        key: ctx.keys.global('datasetLoss'),
        plain: ctx.plain,
      }),
    },
    workers: bindVerbs(ctx, {
      report: reportWorker,
      ended: reportWorkerEnd,
      list: listWorkers,
      held: readHeldJobs,
      /** What releases of workers can run that were seen within a day. */
      releases: readReleases,
      /** Asks workers to take no new jobs, to take them again, or to end. */
      request: requestWorkers,
    }),
    lab: bindVerbs(ctx, {
      settings: lab.readLabSettings,
      save: lab.writeLabSettings,
      state: readLabState,
      report: lab.reportSupervisor,
      clear: lab.clearSupervisor,
      crashed: lab.recordCrash,
      requestBurst: lab.requestBurst,
      takeBurst: lab.takeBurst,
      reset: resetLabSession,
      sample: sampleLab,
      samples: readLabSamples,
      events: readLabEvents,
      startDrill,
      stopDrill,
      latestDrill: readLatestDrill,
      noticeDrill,
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
