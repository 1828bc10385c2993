/** Which workers live, and how the others ended; pure. */
import type { Worker } from '@/lib/contract/workers';

export interface WorkerGroups {
  /** Running, draining, or silent while a lease of theirs still counts down: those may still come back. */
  alive: Worker[];
  /** Crashed, stopped, or silent with nothing left to lose; the latest first. */
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

/** When it ended, or was last heard of. */
export const endedAt = ({ end, lastSeenAt }: Worker): number => end?.at ?? lastSeenAt;

const holdsLease = ({ jobs }: Worker, now: number): boolean =>
  jobs.some(({ leaseUntil }) => leaseUntil > now);

/** Lost ones first: they are what one has come for. The order is otherwise by name, so that no card jumps. */
const rank = ({ status }: Worker): number => (status === 'lost' ? 0 : 1);
