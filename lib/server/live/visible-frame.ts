/** Filters a frame to what the viewer may see, and recomputes totals and verdict. Pure. */

import {
  type AccessScope,
  isFullScope,
  scopeHasQueue,
  scopeReachesQueue,
} from '@/lib/contract/access/grant-scopes';
import { countUrgent } from '@/lib/contract/alerts/urgent-alerts';
import type { Frame } from '@/lib/contract/live/live-frame';
import type { Operation } from '@/lib/contract/operations/operation';
import { isOperationVisible } from '@/lib/contract/operations/operation-access-scope';
import { FRAME_QUEUES_MAX } from '@/lib/contract/queues/queue-limits';
import { queuePageQuerySchema } from '@/lib/contract/queues/queue-schemas';
import type { Worker, WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { isAlertVisible } from '../authorization/visible-alerts';
import { type FullOverview, queuePage, rowsOfPage, sumsOf } from './page-of-queues';
import type { FullFrame, Sample } from './sampler';
import { failureWithin } from './verdict/failure-findings';
import { evaluate } from './verdict/verdict';

/** The full reason may name a queue. */
const REDIS_AWAY = 'Redis cannot be read just now.';

const FIRST_PAGE = queuePageQuerySchema.parse({ limit: FRAME_QUEUES_MAX });

/** For the live stream: of many queues those in most trouble, the totals of all, and every number of the watched ones. */
export function visibleFrame(sample: Sample, within: AccessScope, watched: readonly string[] = []): Frame {
  const { overview, ...frame } = visibleSample(sample, within);
  return {
    ...frame,
    overview: rowsOfPage(queuePage(overview, FIRST_PAGE)),
    watched: watched.length === 0 ? [] : overview.queues.filter(({ queue }) => watched.includes(queue)),
  };
}

/** Of each sample, for so many scopes: the requests of a second ask for the same frames. */
const SCOPES_KEPT = 100;
const framesOf = new WeakMap<Sample, Map<string, FullFrame>>();

/** With every visible queue. */
export function visibleSample(sample: Sample, within: AccessScope): FullFrame {
  if (isFullScope(within)) return sample.frame;
  const frames = framesOf.get(sample) ?? new Map<string, FullFrame>();
  framesOf.set(sample, frames);
  const key = JSON.stringify(within);
  const frame = frames.get(key) ?? frameWithin(sample, within);
  if (frames.size < SCOPES_KEPT) frames.set(key, frame);
  return frame;
}

function frameWithin(sample: Sample, within: AccessScope): FullFrame {
  const { frame } = sample;
  const workers = visibleWorkers(frame.workers, within);
  const operations = frame.operations.filter((operation) => isOperationVisible(operation, within));
  return {
    overview: overviewOf(sample, workers, operations, within),
    workers,
    operations,
  };
}

function overviewOf(
  sample: Sample,
  { workers }: WorkersPage,
  operations: readonly Operation[],
  within: AccessScope,
): FullOverview {
  const { overview } = sample.frame;
  const queues = overview.queues.filter(({ queue }) => scopeHasQueue(within, queue));
  const redisError = overview.redis.error === null ? null : REDIS_AWAY;
  const { dataLoss } = sample;
  const unreadable = sample.unreadable.filter((queue) => scopeHasQueue(within, queue));
  const failures = sample.failures.flatMap(
    (failure) => failureWithin(failure, (queue) => scopeHasQueue(within, queue)) ?? [],
  );
  const { verdict } = evaluate({
    now: overview.at,
    redisError,
    dataLoss,
    seesRedis: false,
    ...(redisError === null
      ? { unreadable, queues, workers, operations, failures, failingTypes: sample.failingTypes }
      : { queues: [], workers: [] }),
  });
  return {
    ...overview,
    // Used memory would reveal how much other tenants store.
    redis: { ...overview.redis, usedMemoryBytes: null, error: redisError },
    verdict,
    alerts: countUrgent(sample.alerts.filter((alert) => isAlertVisible(alert, within))),
    total: queues.length,
    unread: sample.unread.filter((queue) => scopeHasQueue(within, queue)).length,
    oldestAt: queues.reduce((oldest, { at }) => Math.min(oldest, at), overview.at),
    sums: sumsOf(queues),
    queues,
  };
}

/** Workers of at least one queue with visible jobs. */
export const visibleWorkers = ({ at, workers }: WorkersPage, within: AccessScope): WorkersPage => ({
  at,
  workers: isFullScope(within) ? workers : workers.flatMap((worker) => workerOf(worker, within) ?? []),
});

function workerOf(worker: Worker, within: AccessScope): Worker | null {
  const names = Object.keys(worker.queues);
  const own = Object.entries(worker.queues).filter(([queue]) => scopeReachesQueue(within, queue));
  if (own.length === 0) return null;
  const jobs = worker.jobs.filter(({ queue }) => scopeHasQueue(within, queue));
  if (names.every((queue) => scopeHasQueue(within, queue))) return { ...worker, jobs };
  // Its counts and handlers cover all its queues together.
  return {
    ...worker,
    queues: Object.fromEntries(own),
    jobs,
    completed: 0,
    failed: 0,
    breakers: [],
    handlers: [],
    unknownJobs: worker.unknownJobs.filter(({ queue }) => scopeHasQueue(within, queue)),
    schemasDigest: '',
    end: worker.end && { ...worker.end, reclaimed: 0 },
    partial: true,
  };
}
