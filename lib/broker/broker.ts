/** The one door: everything an application, a worker or the console does with jobs goes through a broker. */
import type { ConfigPatch, Sharding } from '@/lib/contract/config';
import type { GroupChange } from '@/lib/contract/dead';
import type { EnqueueInput } from '@/lib/contract/envelope';
import type { Scope } from '@/lib/contract/operations';
import type { Within } from '@/lib/contract/permissions';
import type { PauseScope } from '@/lib/contract/queue';
import type { ClaimOptions, ClaimRef, ListOptions, ResendOptions } from '@/lib/contract/verbs';
import { accessVerbs } from './access';
import { auditVerbs } from './audit';
import { operationVerbs } from './bulk';
import { type BrokerOptions, createContext } from './context';
import type { DatasetLoss } from './dataset';
import { forgetHandlers } from './handlers';
import { changes } from './inspect/changes';
import { movements } from './inspect/events';
import { job, unmaskedJob } from './inspect/job';
import { knownAs } from './inspect/known';
import { ledger } from './inspect/ledger';
import { list } from './inspect/list';
import { minuteSeries } from './inspect/minutes';
import { forgetRegistry, queueExists, queueNames, registeredQueues } from './inspect/registry';
import { snapshot } from './inspect/snapshot';
import * as lab from './lab';
import { usedMemoryBytes } from './memory';
import { type Actor, SYSTEM } from './note';
import { serverNow } from './now';
import { onceVerbs } from './once';
import { onceCounters } from './once-counters';
import { forgetRedactions, redactionIn } from './redaction';
import { createResender } from './resender';
import { forgetRetryRules, retryRules } from './retry-rules';
import { scheduleVerbs } from './schedules';
import { type FacetsScope, facets } from './search/facets';
import { changeGroup } from './search/group-change';
import { type GroupsScope, groupById, groups } from './search/groups';
import { type MatchingOptions, matching } from './search/matching';
import { type PageOptions, searchPage } from './search/page';
import type { SearchScope } from './search/request';
import { forgetSeal } from './search/seal';
import { searchStream } from './search/stream';
import { type SuggestScope, suggest } from './search/suggest';
import { searchVerbs } from './searches';
import { type ShardingInput, setSharding } from './sharded/change';
import { abandon, claim, exchange } from './sharded/claim';
import { changeConfig, getConfig } from './sharded/config';
import { DueLook } from './sharded/due';
import { enqueue, enqueueMany, enqueueManyUntil, enqueueUntil } from './sharded/enqueue';
import { UnusedNames } from './sharded/forget';
import { enterShardingAnew } from './sharded/heal';
import { drain, pause, resume } from './sharded/pausing';
import type { Place } from './sharded/places';
import { ack, extend, fail, release } from './sharded/settle';
import { type OfTenants, onJobs } from './sharded/triage';
import { maintain, reclaim, reclaimWorker } from './sharded/upkeep';
import { createShardedWaiter } from './sharded/wait';
import { withShards } from './shards';
import type { AbandonOptions } from './verbs/abandon';
import type { AckItem } from './verbs/ack';
import { cancel } from './verbs/cancel';
import type { DrainOptions } from './verbs/drain';
import type { EnqueueNote } from './verbs/enqueue';
import type { FailItem } from './verbs/fail';
import type { PauseOptions } from './verbs/pause';
import { promote } from './verbs/promote';
import { purge } from './verbs/purge';
import { redrive } from './verbs/redrive';
import type { ReleaseItem } from './verbs/release';
import { remove } from './verbs/remove';
import { restore } from './verbs/restore';
import { suppress } from './verbs/suppress';
import type { Waiter } from './wait';
import { listWorkers, reportWorker, reportWorkerEnd, type WorkerReport } from './workers';

/** What is remembered of the data, besides how queues are sharded. */
const FORGET_ON_LOSS = [forgetRegistry, forgetRetryRules, forgetRedactions, forgetHandlers, forgetSeal];

/**
 * Opens a broker on one Redis. Nothing is connected until the first call; every call checks once that the server may hold
 * jobs (`noeviction`, 6.2 or newer) and is refused with a sentence when it may not.
 *
 * @example const broker = createBroker({ url: 'redis://127.0.0.1:6379' });
 *          await broker.enqueue('email', { jobType: 'email.send', payload: '{"to":"a@example.com"}' });
 */
export function createBroker(options: BrokerOptions) {
  const ctx = withShards(createContext(options));
  const resender = createResender(() => ctx.ready());
  const waiters = new Set<Waiter>();
  const due = new DueLook(ctx);
  ctx.dataset.onLoss(({ kind }) => {
    const layouts = ctx.shards.forget();
    if (kind === 'emptied') void enterShardingAnew(ctx, layouts);
    for (const forget of FORGET_ON_LOSS) forget(ctx);
  });
  const unused = new UnusedNames(ctx);
  return {
    prefix: ctx.keys.prefix,
    /** Connects and checks the server. @throws RedriveError REDIS_UNSAFE | REDIS_UNAVAILABLE */
    ready: () => ctx.ready(),
    now: () => serverNow(ctx),
    /** With a `note`, what comes in leaves a record for the audit log: for those who enqueue by hand, not for applications. */
    enqueue: (queue: string, input: EnqueueInput, note?: EnqueueNote) => enqueue(ctx, queue, input, note),
    enqueueMany: (queue: string, inputs: readonly EnqueueInput[], note?: EnqueueNote) =>
      enqueueMany(ctx, queue, inputs, note),
    /** The same, sent again under the same ids when no answer comes; see docs/library.md. */
    enqueueUntil: (queue: string, input: EnqueueInput, how: ResendOptions = {}) =>
      enqueueUntil(ctx, resender, queue, input, how),
    enqueueManyUntil: (queue: string, inputs: readonly EnqueueInput[], how: ResendOptions = {}) =>
      enqueueManyUntil(ctx, resender, queue, inputs, how),
    claim: (queue: string, claimOptions: ClaimOptions) => claim(ctx, queue, claimOptions),
    /** Completes jobs and claims new ones in one round trip. */
    exchange: (queue: string, acks: readonly AckItem[], claimOptions: ClaimOptions) =>
      exchange(ctx, queue, acks, claimOptions),
    abandon: (queue: string, nonce: string, how?: AbandonOptions) => abandon(ctx, queue, nonce, how),
    ack: (queue: string, items: readonly AckItem[]) => ack(ctx, queue, items),
    fail: (queue: string, items: readonly FailItem[]) => fail(ctx, queue, items),
    extend: (queue: string, items: readonly ClaimRef[], leaseMs: number) =>
      extend(ctx, queue, items, leaseMs),
    release: (queue: string, items: readonly ReleaseItem[]) => release(ctx, queue, items),
    promote: (queue: string, ids: readonly string[], by: Actor, only?: OfTenants) =>
      onJobs(ctx, queue, ids, 'The promotion', (name, part, of) => promote(ctx, name, part, by, of), only),
    /** `by`: when a person asks for it, not the upkeep that does it anyway. */
    reclaim: (queue: string, limit?: number, by?: Actor) => reclaim(ctx, queue, limit, by),
    reclaimWorker: (queue: string, worker: string, cause: { errorCode: string; message: string }) =>
      reclaimWorker(ctx, queue, worker, cause),
    maintain: (queue: string) => maintain(ctx, queue),
    /** Of any number of queues: takes back expired leases and does what else fell due, at little cost where nothing did. */
    maintainDue: (queues: readonly string[], isSkipped?: (place: Place) => boolean) =>
      due.maintain(queues, isSkipped),
    /** Looks at some names of queues that nobody entered lately, and forgets those without rows; see sharded/forget.ts. */
    forgetUnused: () => unused.forget(),
    pause: (queue: string, input: PauseOptions, by: Actor) => pause(ctx, queue, input, by),
    resume: (queue: string, scope?: PauseScope, by?: Actor) => resume(ctx, queue, scope, by),
    /** Refuses new jobs while the old ones finish, or takes new ones again. */
    drain: (queue: string, input: DrainOptions, by: Actor) => drain(ctx, queue, input, by),
    config: {
      get: (queue: string) => getConfig(ctx, queue),
      change: (queue: string, patch: ConfigPatch, by: Actor) => changeConfig(ctx, queue, patch, by),
    },
    /** The queue's retry rules as last read: cached for some seconds, kept while Redis is away. */
    retryRules: async (queue: string) => retryRules(ctx, ctx.shards.check(queue)),
    /** Marks of work that must not be done twice; `createOnce` puts them to use. */
    once: onceVerbs(ctx),
    sharding: {
      /** Into how many hash slots the queue is spread, and by what. */
      get: async (queue: string): Promise<Sharding> => {
        const { count, by } = await ctx.shards.fresh(queue);
        return { count, by };
      },
      /** Only while the queue holds no jobs; the number only grows. */
      set: (queue: string, input: ShardingInput, by: Actor) => setSharding(ctx, queue, input, by),
    },
    cancel: (queue: string, ids: readonly string[], by: Actor, only?: OfTenants) =>
      onJobs(ctx, queue, ids, 'The cancellation', (name, part, of) => cancel(ctx, name, part, by, of), only),
    remove: (queue: string, ids: readonly string[], by: Actor = SYSTEM, only?: OfTenants) =>
      onJobs(ctx, queue, ids, 'The removal', (name, part, of) => remove(ctx, name, part, by, of), only),
    redrive: (queue: string, ids: readonly string[], by: Actor, only?: OfTenants) =>
      onJobs(ctx, queue, ids, 'The re-drive', (name, part, of) => redrive(ctx, name, part, by, of), only),
    suppress: (queue: string, ids: readonly string[], by: Actor, only?: OfTenants) =>
      onJobs(ctx, queue, ids, 'The suppression', (name, part, of) => suppress(ctx, name, part, by, of), only),
    purge: (queue: string, ids: readonly string[], by: Actor, only?: OfTenants) =>
      onJobs(ctx, queue, ids, 'The purge', (name, part, of) => purge(ctx, name, part, by, of), only),
    restore: (queue: string, ids: readonly string[], by: Actor, only?: OfTenants) =>
      onJobs(ctx, queue, ids, 'The restoration', (name, part, of) => restore(ctx, name, part, by, of), only),
    /** A blocking wait for work, on a connection of its own. */
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
      /** Names of all queues, by letter; at most 100,000. */
      queues: () => queueNames(ctx),
      /** How many there are. */
      registered: () => registeredQueues(ctx),
      exists: (queue: string) => queueExists(ctx, queue),
      snapshot: (queues: readonly string[]) => snapshot(ctx, queues),
      minutes: (queue: string, now: number, minutes: number) => minuteSeries(ctx, queue, now, minutes),
      list: (queue: string, listOptions: ListOptions) => list(ctx, queue, listOptions),
      /** Without what is hidden of its payload and result; see docs/redaction.md. */
      job: (queue: string, jobId: string, only?: OfTenants) => job(ctx, queue, jobId, only),
      /** With all of it: for the application whose jobs they are. */
      unmasked: (queue: string, jobId: string, only?: OfTenants) => unmaskedJob(ctx, queue, jobId, only),
      /** What sending a job again would be answered, judged by what is shown of both. */
      knownAs: (queue: string, input: EnqueueInput) => knownAs(ctx, ctx.shards.check(queue), input),
      /** What is hidden of the payloads of a queue. */
      redaction: (queue: string) => redactionIn(ctx, ctx.shards.check(queue)),
      ledger: (queue: string) => ledger(ctx, queue),
      movements: (queue: string, after: string, limit: number) => movements(ctx, queue, after, limit),
      /** A page of what matches a query, in one state; see docs/search.md. */
      search: (scope: SearchScope, options?: PageOptions) => searchPage(ctx, scope, options),
      /** The same as it is found, until its limit, its end, or an abort. */
      searchStream: (scope: SearchScope, options?: PageOptions) => searchStream(ctx, scope, options),
      facets: (scope: FacetsScope) => facets(ctx, scope),
      groups: (scope: GroupsScope) => groups(ctx, scope),
      group: (id: string, within?: Within) => groupById(ctx, id, within),
      suggest: (scope: SuggestScope) => suggest(ctx, scope),
      /** All that matches, with payloads: for exports. */
      matching: (scope: Scope, options: MatchingOptions) => matching(ctx, scope, options),
      /** What people changed about a queue, newest first. */
      changes: (queue: string, limit: number) => changes(ctx, queue, limit),
      /** How often `once` let work through, and how often not. */
      once: () => onceCounters(ctx),
      memory: () => usedMemoryBytes(ctx),
    },
    groups: {
      /** Names, notes, resolves or mutes a failure group. */
      change: (id: string, change: GroupChange, by: Actor, within?: Within) =>
        changeGroup(ctx, id, change, by, within),
    },
    /** Bulk actions that run in the background, on a set frozen at confirmation. */
    operations: operationVerbs(ctx),
    /** Sessions, people and API tokens: see docs/sign-in.md. */
    access: accessVerbs(ctx),
    /** Who did what: see docs/audit.md. */
    audit: auditVerbs(ctx),
    /** The steps schedules are made of; what to do with them is in lib/schedules. */
    schedules: scheduleVerbs(ctx),
    /** Queries people keep under a name. */
    searches: searchVerbs(ctx),
    /** Whether the data of this Redis are still those that were there before: see docs/connections.md. */
    dataset: {
      look: () => ctx.dataset.look(),
      state: () => ctx.dataset.state(),
      /** Until the returned function is called. */
      onLoss: (listener: (loss: DatasetLoss) => void) => ctx.dataset.onLoss(listener),
    },
    workers: {
      report: (report: WorkerReport, schemas?: string) => reportWorker(ctx, report, schemas),
      ended: (workerId: string, status: 'crashed' | 'stopped', end: Parameters<typeof reportWorkerEnd>[3]) =>
        reportWorkerEnd(ctx, workerId, status, end),
      list: () => listWorkers(ctx),
    },
    lab: {
      settings: () => lab.readLabSettings(ctx),
      save: (settings: unknown, by?: Actor) => lab.writeLabSettings(ctx, settings, by),
      state: () => lab.readLabState(ctx),
      report: (report: lab.LabSupervisor) => lab.reportSupervisor(ctx, report),
      clear: () => lab.clearSupervisor(ctx),
      crashed: (crash: Parameters<typeof lab.recordCrash>[1]) => lab.recordCrash(ctx, crash),
      requestBurst: (jobs: number, by?: Actor) => lab.requestBurst(ctx, jobs, by),
      takeBurst: () => lab.takeBurst(ctx),
    },
    /** Ends all waits, and the connection if the broker opened it. Every call from now on is refused: CLIENT_CLOSED. */
    close: () => {
      for (const waiter of waiters) waiter.close();
      waiters.clear();
      resender.close();
      ctx.close();
    },
  };
}
export type Broker = ReturnType<typeof createBroker>;
