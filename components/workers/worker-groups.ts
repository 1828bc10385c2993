/** Live and ended workers; pure. */
import type { Worker } from '@/lib/contract/workers/worker-schemas';

interface WorkerGroups {
  /** Running, draining, or lost with an unexpired lease, because these may return. */
  alive: Worker[];
  /** Crashed, stopped, or lost without leases; the latest first. */
  ended: Worker[];
}

export function groupWorkers(workers: readonly Worker[], now: number): WorkerGroups {
  const gone = (worker: Worker) =>
    worker.end !== null || (worker.status === 'lost' && !holdsLease(worker, now));
  const alive = workers.filter((worker) => !gone(worker));
  const ended = workers.filter(gone);
  alive.sort((a, b) => rank(a) - rank(b) || (a.workerId < b.workerId ? -1 : 1));
  ended.sort((a, b) => endedAt(b) - endedAt(a));
  return { alive, ended };
}

/** The end, or the last heartbeat. */
export const endedAt = ({ end, lastSeenAt }: Worker): number => end?.at ?? lastSeenAt;

const holdsLease = ({ jobs }: Worker, now: number): boolean =>
  jobs.some(({ leaseUntil }) => leaseUntil > now);

/** Lost ones first, then by name, so that cards keep their position. */
const rank = ({ status }: Worker): number => (status === 'lost' ? 0 : 1);
