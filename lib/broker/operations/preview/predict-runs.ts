/**
 * What happens to the jobs of a preview once they are ready: which are blocked, and which die again at once. It asks the rule by which a
 * worker finds a handler, and the rule by which a failed run is retried. Pauses are those that the snapshot has in force. Limits of rate and
 * concurrency are left out: they delay jobs, and change with each claim.
 */

import { retryRules } from '@/lib/broker/queues/settings/queue-retry-rules';
import { snapshotQueues } from '@/lib/broker/queues/snapshot-queues';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { listWorkers } from '@/lib/broker/workers/worker-registry';
import {
  effectiveRetryRule,
  NO_RETRY_RULES,
  type RetryRules,
  retryDecision,
} from '@/lib/contract/jobs/retry-policy';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { missingCoverage, tablesOfQueue } from '@/lib/contract/workers/handler-coverage';
import type { HandledType, HandlerTable } from '@/lib/contract/workers/handler-table';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { allOf } from '@/lib/format/plural';
import type { InspectedJob } from './inspect-jobs';

type Prediction = Pick<Preview, 'blocked' | 'unsupported'>;
const LISTED_MAX = 50;

/** @param target the queue of a move; null: the jobs stay in their queues */
export async function predictRuns(
  ctx: ShardedContext,
  inspected: readonly InspectedJob[],
  target: string | null,
): Promise<Prediction> {
  const moved = inspected.filter(({ skip }) => skip === null);
  if (moved.length === 0) return { blocked: [], unsupported: [] };
  const queues = target === null ? [...new Set(moved.map(({ shard }) => shard.queue))] : [target];
  const [readings, { workers }, rules] = await Promise.all([
    snapshotQueues(ctx, queues),
    listWorkers(ctx),
    Promise.all(queues.map((queue) => retryRules(ctx, queue))),
  ]);
  const servers = new Map(
    queues.map((queue, i): [string, QueueServers] => {
      const { pauses = [] } = readings.find((reading) => reading.queue === queue) ?? {};
      return [queue, queueServers(workers, queue, pauses, rules[i])];
    }),
  );
  const blocked = new Map<string, Prediction['blocked'][number]>();
  const unsupported = new Map<string, Prediction['unsupported'][number]>();
  for (const job of moved) {
    const queue = target ?? job.shard.queue;
    const serving = servers.get(queue);
    if (!serving) continue;
    for (const block of blocksOf(job, queue, serving)) add(blocked, `${block.reason} ${block.scope}`, block);
    const missing = missingHandler(job, queue, serving);
    if (missing) add(unsupported, `${queue} ${missing.jobType} ${missing.jobVersion}`, missing);
  }
  return { blocked: mostFirst(blocked), unsupported: mostFirst(unsupported) };
}

/** The pauses and live workers of a queue. */
interface QueueServers {
  readonly paused: ReadonlySet<string>;
  readonly liveWorkers: number;
  /** Handlers of each worker that takes new jobs. Null: one of them does not report its handlers. */
  readonly tables: readonly HandlerTable<HandledType>[] | null;
  readonly rules: RetryRules | undefined;
}

function queueServers(
  workers: readonly Worker[],
  queue: string,
  pauses: readonly { scope: string }[],
  rules: RetryRules | undefined,
): QueueServers {
  const live = workers.filter(
    ({ status, queues }) => (status === 'running' || status === 'draining') && Object.hasOwn(queues, queue),
  );
  return {
    paused: new Set(pauses.map(({ scope }) => scope)),
    liveWorkers: live.length,
    tables: tablesOfQueue(workers, queue),
    rules,
  };
}

type Block = Omit<Prediction['blocked'][number], 'count'>;

function blocksOf({ facts }: InspectedJob, queue: string, serving: QueueServers): Block[] {
  const { paused, liveWorkers, tables } = serving;
  const blocks: Block[] = [];
  const pauses = [
    paused.has('queue') ? queue : '',
    paused.has(`tenant:${facts.tenant}`) ? `tenant ${facts.tenant} of ${queue}` : '',
    paused.has(`type:${facts.type}`) ? `type ${facts.type} of ${queue}` : '',
  ].filter(Boolean);
  // One block for all of them: to end one frees no such job.
  if (pauses.length > 0)
    blocks.push({
      reason: 'paused',
      scope: allOf(pauses),
      ...(pauses.length > 1 ? { pauses: pauses.length } : {}),
    });
  if (liveWorkers === 0) blocks.push({ reason: 'no-worker', scope: queue });
  else if (tables?.length === 0) blocks.push({ reason: 'draining', scope: queue });
  return blocks;
}

/** The workers that have no handler for the job; null: all have one, none takes jobs, or it is not known. */
function missingHandler(
  { facts, envelope }: InspectedJob,
  queue: string,
  { tables, rules }: QueueServers,
): Omit<Prediction['unsupported'][number], 'count'> | null {
  if (!envelope) return null;
  const { jobType, jobVersion, maxAttempts } = envelope;
  const coverage = missingCoverage(tables, jobType, jobVersion);
  if (!coverage) return null;
  const failed = { errorClass: 'unsupported-version', attempt: 1, leaseLosses: 0 } as const;
  const rule = effectiveRetryRule(rules ?? NO_RETRY_RULES, facts.type ?? jobType);
  const retried = maxAttempts > 1 && retryDecision(failed, rule, () => 0) !== null;
  return { queue, jobType, jobVersion, ...coverage, retried };
}

function add<T extends { count: number }>(
  counts: Map<string, T>,
  key: string,
  value: Omit<T, 'count'>,
): void {
  counts.set(key, { ...value, count: (counts.get(key)?.count ?? 0) + 1 } as T);
}

const mostFirst = <T extends { count: number }>(counts: ReadonlyMap<string, T>): T[] =>
  [...counts.values()].sort((a, b) => b.count - a.count).slice(0, LISTED_MAX);
