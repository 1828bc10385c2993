/** The one door: everything an application, a worker or the console does with jobs goes through a broker. */
import type { ConfigPatch, ConfigReply } from '@/lib/contract/config';
import type { DeadFilter } from '@/lib/contract/dead';
import type { EnqueueInput } from '@/lib/contract/envelope';
import type { PauseScope } from '@/lib/contract/queue';
import type { ClaimOptions, ClaimRef, ListOptions } from '@/lib/contract/verbs';
import {
  cancelOperation,
  failOperation,
  getOperation,
  type StartOperation,
  startOperation,
  stepOperation,
} from './bulk/operations';
import { listRecords } from './bulk/records';
import { type BrokerOptions, createContext } from './context';
import { deadFacets } from './dead/facets';
import { deadPage } from './dead/page';
import { changes } from './inspect/changes';
import { movements } from './inspect/events';
import { job } from './inspect/job';
import { ledger } from './inspect/ledger';
import { list } from './inspect/list';
import { minuteSeries } from './inspect/minutes';
import { type Settings, settings } from './inspect/settings';
import { queueExists, queueNames, snapshot } from './inspect/snapshot';
import * as lab from './lab';
import { usedMemoryBytes } from './memory';
import type { Actor } from './note';
import { serverNow } from './now';
import { scheduleVerbs } from './schedules';
import { onceVerbs } from './once';
import { onceCounters } from './once-counters';
import { retryRules } from './retry-rules';
import { abandon } from './verbs/abandon';
import { type AckItem, ack } from './verbs/ack';
import { cancel } from './verbs/cancel';
import { claim } from './verbs/claim';
import { configure } from './verbs/configure';
import { type DrainOptions, drain } from './verbs/drain';
import { enqueueMany } from './verbs/enqueue';
import { enqueue } from './verbs/enqueue-one';
import { exchange } from './verbs/exchange';
import { extend } from './verbs/extend';
import { type FailItem, fail } from './verbs/fail';
import { maintain } from './verbs/maintain';
import { type PauseOptions, pause } from './verbs/pause';
import { promote } from './verbs/promote';
import { purge } from './verbs/purge';
import { reclaim, reclaimWorker } from './verbs/reclaim';
import { redrive } from './verbs/redrive';
import { type ReleaseItem, release } from './verbs/release';
import { remove } from './verbs/remove';
import { restore } from './verbs/restore';
import { resume } from './verbs/resume';
import { suppress } from './verbs/suppress';
import { createWaiter } from './wait';
import { listWorkers, reportWorker, reportWorkerEnd, type WorkerReport } from './workers';

/**
 * Opens a broker on one Redis. Nothing is connected until the first call; every call checks once that the server may hold
 * jobs (`noeviction`, 6.2 or newer) and is refused with a sentence when it may not.
 *
 * @example const broker = createBroker({ url: 'redis://127.0.0.1:6379' });
 *          await broker.enqueue('email', { jobType: 'email.send', payload: '{"to":"a@example.com"}' });
 */
export function createBroker(options: BrokerOptions) {
  const ctx = createContext(options);
  return {
    prefix: ctx.keys.prefix,
    /** Connects and checks the server. @throws RedriveError REDIS_UNSAFE | REDIS_UNAVAILABLE */
    ready: () => ctx.ready(),
    now: () => serverNow(ctx),
    enqueue: (queue: string, input: EnqueueInput) => enqueue(ctx, queue, input),
    enqueueMany: (queue: string, inputs: readonly EnqueueInput[]) => enqueueMany(ctx, queue, inputs),
    claim: (queue: string, claimOptions: ClaimOptions) => claim(ctx, queue, claimOptions),
    /** Completes jobs and claims new ones in one round trip. */
    exchange: (queue: string, acks: readonly AckItem[], claimOptions: ClaimOptions) =>
      exchange(ctx, queue, acks, claimOptions),
    abandon: (queue: string, nonce: string) => abandon(ctx, queue, nonce),
    ack: (queue: string, items: readonly AckItem[]) => ack(ctx, queue, items),
    fail: (queue: string, items: readonly FailItem[]) => fail(ctx, queue, items),
    extend: (queue: string, items: readonly ClaimRef[], leaseMs: number) =>
      extend(ctx, queue, items, leaseMs),
    release: (queue: string, items: readonly ReleaseItem[]) => release(ctx, queue, items),
    promote: (queue: string, ids: readonly string[], by: Actor) => promote(ctx, queue, ids, by),
    reclaim: (queue: string, limit?: number) => reclaim(ctx, queue, limit),
    reclaimWorker: (queue: string, worker: string, cause: { errorCode: string; message: string }) =>
      reclaimWorker(ctx, queue, worker, cause),
    maintain: (queue: string) => maintain(ctx, queue),
    pause: (queue: string, input: PauseOptions, by: Actor) => pause(ctx, queue, input, by),
    resume: (queue: string, scope?: PauseScope, by?: Actor) => resume(ctx, queue, scope, by),
    /** Refuses new jobs while the old ones finish, or takes new ones again. */
    drain: (queue: string, input: DrainOptions, by: Actor) => drain(ctx, queue, input, by),
    config: {
      get: async (queue: string) => replyOf(await settings(ctx, queue)),
      change: async (queue: string, patch: ConfigPatch, by: Actor) =>
        replyOf(await configure(ctx, queue, patch, by)),
    },
    /** The queue's retry rules as last read: cached for some seconds, kept while Redis is away. */
    retryRules: (queue: string) => retryRules(ctx, queue),
    /** Marks of work that must not be done twice; `createOnce` puts them to use. */
    once: onceVerbs(ctx),
    cancel: (queue: string, ids: readonly string[], by: Actor) => cancel(ctx, queue, ids, by),
    remove: (queue: string, ids: readonly string[]) => remove(ctx, queue, ids),
    redrive: (queue: string, ids: readonly string[], by: Actor) => redrive(ctx, queue, ids, by),
    suppress: (queue: string, ids: readonly string[], by: Actor) => suppress(ctx, queue, ids, by),
    purge: (queue: string, ids: readonly string[], by: Actor) => purge(ctx, queue, ids, by),
    restore: (queue: string, ids: readonly string[], by: Actor) => restore(ctx, queue, ids, by),
    /** A blocking wait for work, on a connection of its own. */
    waiter: () => createWaiter(ctx),
    inspect: {
      queues: () => queueNames(ctx),
      exists: (queue: string) => queueExists(ctx, queue),
      snapshot: (queues: readonly string[]) => snapshot(ctx, queues),
      minutes: (queue: string, now: number, minutes: number) => minuteSeries(ctx, queue, now, minutes),
      list: (queue: string, listOptions: ListOptions) => list(ctx, queue, listOptions),
      job: (queue: string, jobId: string) => job(ctx, queue, jobId),
      ledger: (queue: string) => ledger(ctx, queue),
      movements: (queue: string, after: string, limit: number) => movements(ctx, queue, after, limit),
      dead: (filter: DeadFilter, page?: { cursor?: string; limit?: number }) => deadPage(ctx, filter, page),
      deadFacets: (queue?: string) => deadFacets(ctx, queue),
      /** What people changed about a queue, newest first. */
      changes: (queue: string, limit: number) => changes(ctx, queue, limit),
      /** How often `once` let work through, and how often not. */
      once: () => onceCounters(ctx),
      memory: () => usedMemoryBytes(ctx),
    },
    operations: {
      start: (input: StartOperation) => startOperation(ctx, input),
      step: (id: string) => stepOperation(ctx, id),
      cancel: (id: string) => cancelOperation(ctx, id),
      fail: (id: string, error: string) => failOperation(ctx, id, error),
      get: (id: string) => getOperation(ctx, id),
      list: (limit: number, cursor?: string) => listRecords(ctx, limit, cursor),
    },
    /** The steps schedules are made of; what to do with them is in lib/schedules. */
    schedules: scheduleVerbs(ctx),
    workers: {
      report: (report: WorkerReport) => reportWorker(ctx, report),
      ended: (workerId: string, status: 'crashed' | 'stopped', end: Parameters<typeof reportWorkerEnd>[3]) =>
        reportWorkerEnd(ctx, workerId, status, end),
      list: () => listWorkers(ctx),
    },
    lab: {
      settings: () => lab.readLabSettings(ctx),
      save: (settings: unknown) => lab.writeLabSettings(ctx, settings),
      state: () => lab.readLabState(ctx),
      report: (report: lab.LabSupervisor) => lab.reportSupervisor(ctx, report),
      clear: () => lab.clearSupervisor(ctx),
      crashed: (crash: Parameters<typeof lab.recordCrash>[1]) => lab.recordCrash(ctx, crash),
      requestBurst: (jobs: number) => lab.requestBurst(ctx, jobs),
      takeBurst: () => lab.takeBurst(ctx),
    },
    /** Closes the connection, if the broker opened it. */
    close: () => ctx.close(),
  };
}
const replyOf = ({ config, revision, draining }: Settings): ConfigReply => ({
  config,
  revision,
  draining,
  shards: { count: 1, by: 'id' },
});
export type Broker = ReturnType<typeof createBroker>;
