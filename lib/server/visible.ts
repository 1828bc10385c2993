/** A frame as somebody may see it: queues, workers, operations and movements outside are left out, and what is said of all of them is said anew. Pure. */
import type { Frame } from '@/lib/contract/live';
import { hasQueue, isEverywhere, reachesQueue, type Within } from '@/lib/contract/permissions';
import { FRAME_QUEUES_MAX, type Overview, queuePageQuerySchema } from '@/lib/contract/queue';
import type { Worker, WorkersPage } from '@/lib/contract/workers';
import { seesOperation } from './guarded/operation-rights';
import { queuePage, sumsOf } from './queue-page';
import type { Sample } from './sampler';
import { verdictOf } from './verdict';

/** What went wrong may name a queue; that it went wrong is for everybody. */
const REDIS_AWAY = 'Redis cannot be read just now.';

/** What a stream sends: of many queues the most troubled, and what is said of all. */
export function visibleFrame(sample: Sample, within: Within): Frame {
  const frame = visibleWhole(sample, within);
  const { overview } = frame;
  if (overview.queues.length <= FRAME_QUEUES_MAX) return frame;
  const { queues } = queuePage(overview, queuePageQuerySchema.parse({}));
  return { ...frame, overview: { ...overview, queues } };
}

/** With every queue that lies within. */
export function visibleWhole(sample: Sample, within: Within): Frame {
  if (isEverywhere(within)) return sample.frame;
  const { frame } = sample;
  const workers = visibleWorkers(frame.workers, within);
  return {
    overview: overviewOf(sample, workers, within),
    workers,
    // It is the demo of all queues, and names jobs that crashed.
    lab: null,
    operations: frame.operations.filter((operation) => seesOperation(within, operation)),
    movements: frame.movements.filter(({ queue }) => hasQueue(within, queue)),
  };
}

function overviewOf(sample: Sample, { workers }: WorkersPage, within: Within): Overview {
  const { overview } = sample.frame;
  const queues = overview.queues.filter(({ queue }) => hasQueue(within, queue));
  const redisError = overview.redis.error === null ? null : REDIS_AWAY;
  const verdict =
    redisError === null
      ? verdictOf({
          now: overview.at,
          redisError,
          dataLoss: sample.dataLoss,
          unreadable: sample.unreadable.filter((queue) => hasQueue(within, queue)),
          queues: queues.map((snapshot) => ({
            snapshot,
            recentDeaths: sample.recentDeaths.get(snapshot.queue) ?? 0,
          })),
          workers,
        })
      : verdictOf({ now: overview.at, redisError, dataLoss: sample.dataLoss, queues: [], workers: [] });
  return {
    ...overview,
    // How full Redis is tells how much others have.
    redis: { ...overview.redis, usedMemoryBytes: null, error: redisError },
    verdict,
    total: queues.length,
    unread: sample.unread.filter((queue) => hasQueue(within, queue)).length,
    oldestAt: queues.reduce((oldest, { at }) => Math.min(oldest, at), overview.at),
    sums: sumsOf(queues),
    queues,
  };
}

/** Workers of at least one queue that one may see jobs of. */
export const visibleWorkers = ({ at, workers }: WorkersPage, within: Within): WorkersPage => ({
  at,
  workers: isEverywhere(within) ? workers : workers.flatMap((worker) => workerOf(worker, within) ?? []),
});

function workerOf(worker: Worker, within: Within): Worker | null {
  const names = Object.keys(worker.queues);
  const own = Object.entries(worker.queues).filter(([queue]) => reachesQueue(within, queue));
  if (own.length === 0) return null;
  const jobs = worker.jobs.filter(({ queue }) => hasQueue(within, queue));
  if (names.every((queue) => hasQueue(within, queue))) return { ...worker, jobs };
  // What it counts, and the types it knows, are of all its queues together.
  return {
    ...worker,
    queues: Object.fromEntries(own),
    jobs,
    completed: 0,
    failed: 0,
    breakers: [],
    handlers: [],
    schemasDigest: '',
    end: worker.end && { ...worker.end, reclaimed: 0 },
    partial: true,
  };
}
