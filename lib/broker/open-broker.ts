/** `openBroker`: the console's broker: the jobs of `openEngine`, and the console's own records. */
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';
import { accessVerbs } from './access';
import { alertVerbs } from './alerts';
import { auditVerbs } from './audit';
import type { JobStore } from './engine/job-store';
import { addMark } from './history/deploy-marks';
import { foldAllQueues } from './history/fold-all-queues';
import { readHistory } from './history/read-history';
import { readMarks } from './history/read-marks';
import { readTypeRuns } from './history/type-runs';
import { checkDuplicate } from './jobs/read/duplicate-check';
import { openEngine } from './open-engine';
import { operationVerbs } from './operations';
import { readMinuteCounts } from './queues/minute-counts';
import { readQueueBreakdown } from './queues/queue-breakdown';
import { readQueueChanges } from './queues/queue-changes';
import { readQueueMemory } from './queues/queue-memory';
import { bindVerbs } from './redis/bind-verbs';
import { type BrokerOptions, createContext } from './redis/broker-context';
import { checkRedis } from './redis/checks/check-redis';
import { readRedisTrouble } from './redis/checks/redis-trouble';
import { createRecordedLoss } from './redis/dataset/recorded-loss';
import { inScanTurn } from './redis/scripts/scan-turns';
import { usedMemoryBytes } from './redis/server-info';
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
import { countQueues, countUnreadNames } from './shards/queue-registry';
import { withShards } from './shards/sharded-context';
import { UnusedNames } from './shards/unused-queues';
import { forgetHandlers } from './workers/known-handlers';
import { requestWorkers } from './workers/request-workers';
import { readHeldJobs } from './workers/worker-registry';

/** The methods trust the types of their input: routes have checked it. */
export function openBroker(options: BrokerOptions) {
  const ctx = withShards(createContext(options, inScanTurn));
  const engine = openEngine(ctx);
  ctx.dataset.onLoss(() => {
    forgetCursorKey(ctx);
    forgetHandlers(ctx);
  });
  const unused = new UnusedNames(ctx);
  const store: JobStore = {
    ...engine.inspect,
    ...bindVerbs(ctx, {
      list: listJobs,
      search: searchPage,
      searchStream,
      find: findJobs,
      findStream,
      facets: countFacets,
      groups: listGroups,
      group: readGroup,
      suggest,
      matching: readMatches,
    }),
  };
  return {
    ...engine,
    /** Adds the last minutes of all queues together to their history; any number of consoles may. */
    ...bindVerbs(ctx, { foldAllQueues }),
    /** Forgets names of queues without rows that no producer entered lately, a few a call. */
    forgetUnused: () => unused.forget(),
    inspect: {
      ...engine.inspect,
      ...store,
      ...bindVerbs(ctx, {
        registered: countQueues,
        /** Members of the registry that the last reading left out because there are too many. */
        unreadNames: countUnreadNames,
        minutes: readMinuteCounts,
        /** The past of queues by minute, or of all queues together; see docs/history.md. */
        history: readHistory,
        /** What users changed in that time, for charts. */
        marks: readMarks,
        /** What users changed about a queue, newest first. */
        changes: readQueueChanges,
        /** Ready and completed jobs by tenant and type, and ready ones by priority. */
        breakdown: readQueueBreakdown,
        /** Failed runs and claims by job type, of at most ten minutes. */
        typeRuns: readTypeRuns,
        /** Estimated bytes of each key of a queue. */
        queueMemory: readQueueMemory,
        memory: usedMemoryBytes,
        /** Is this Redis fit for jobs: every check, on each server. */
        redis: checkRedis,
        /** Memory that runs out, and data that are not saved. */
        redisTrouble: readRedisTrouble,
      }),
      /** The answer to sending a job again, as far as the sender may see both; null: nothing of it is hidden. */
      checkDuplicate: (queue: string, input: EnqueueInput) =>
        checkDuplicate(ctx, ctx.shards.check(queue), input),
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
    searches: savedSearchVerbs(ctx),
    dataset: {
      ...engine.dataset,
      /** Looks, and answers with the last loss of a day: the same in each console. */
      loss: createRecordedLoss({
        dataset: ctx.dataset,
        key: ctx.keys.global('datasetLoss'),
        plain: ctx.plain,
      }),
    },
    workers: {
      ...engine.workers,
      ...bindVerbs(ctx, {
        held: readHeldJobs,
        /** Asks workers to take no new jobs, to take them again, or to end. */
        request: requestWorkers,
      }),
    },
  };
}
export type Broker = ReturnType<typeof openBroker>;
