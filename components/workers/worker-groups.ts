/** Live and ended workers, crash loops, and what to do about missing workers; pure. */
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { revealHidden } from '@/lib/format/display-text';

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

/** Crashes of one worker and its replacements, each soon after the one before. */
export interface CrashLoop {
  name: string;
  /** Those that crashed, the latest first. */
  workers: readonly Worker[];
  /** Between the first and the latest crash. */
  spanMs: number;
  cause: string;
  reclaimed: number;
}
export type EndedRow =
  | { kind: 'worker'; worker: Worker; inLoop: boolean }
  | { kind: 'loop'; key: string; loop: CrashLoop; open: boolean };

const LOOP_MIN = 3;
const LOOP_GAP_MS = 60_000;

/** What replacements share: the id up to the pid. */
export function workerName({ workerId, pid }: Worker): string {
  const at = workerId.indexOf(`-${pid}`);
  return at > 0 ? workerId.slice(0, at) : workerId;
}

/** Whether it ended without stopping: crashed, or its heartbeat was lost. */
export const isCrash = ({ status }: Worker): boolean => status === 'crashed' || status === 'lost';

export const endCause = ({ end }: Worker): string => revealHidden(end?.cause ?? 'Heartbeat lost');

/** Ended workers, the latest first, with three or more crashes in a row folded into one. @param open keys of loops whose workers are listed */
export function endedRows(ended: readonly Worker[], open: ReadonlySet<string>): EndedRow[] {
  const runs = new Map<string, Worker[][]>();
  for (const worker of ended.filter(isCrash)) {
    const name = `${worker.host} ${workerName(worker)}`;
    const known = runs.get(name) ?? [];
    const last = known.at(-1);
    const before = last?.at(-1);
    if (last && before && endedAt(before) - endedAt(worker) <= LOOP_GAP_MS) last.push(worker);
    else known.push([worker]);
    runs.set(name, known);
  }
  const loops = new Map<Worker, readonly Worker[]>();
  for (const run of [...runs.values()].flat())
    if (run.length >= LOOP_MIN) for (const worker of run) loops.set(worker, run);
  return ended.flatMap((worker): EndedRow[] => {
    const run = loops.get(worker);
    if (!run) return [{ kind: 'worker', worker, inLoop: false }];
    if (run[0] !== worker) return [];
    // The first crash stays the first, so that the row keeps its identity while the loop goes on.
    const key = run.at(-1)?.workerId ?? worker.workerId;
    const row: EndedRow = { kind: 'loop', key, loop: crashLoop(run), open: open.has(key) };
    return row.open
      ? [row, ...run.map((one): EndedRow => ({ kind: 'worker', worker: one, inLoop: true }))]
      : [row];
  });
}

function crashLoop(workers: readonly Worker[]): CrashLoop {
  const [latest, first] = [workers[0], workers.at(-1)];
  return {
    name: latest ? workerName(latest) : '',
    workers,
    spanMs: latest && first ? endedAt(latest) - endedAt(first) : 0,
    cause: latest ? endCause(latest) : '',
    reclaimed: workers.reduce((sum, { end }) => sum + (end?.reclaimed ?? 0), 0),
  };
}

export type WorkerAdvice = { kind: 'crashing'; crashes: number; cause: string } | { kind: 'start' };

const RECENT_MS = 60_000;

/** What to do where no worker listens: while workers crash, find the cause first. */
export function workerAdvice(ended: readonly Worker[], now: number): WorkerAdvice {
  const crashes = ended.filter((worker) => isCrash(worker) && now - endedAt(worker) < RECENT_MS);
  const [latest] = crashes;
  return latest ? { kind: 'crashing', crashes: crashes.length, cause: endCause(latest) } : { kind: 'start' };
}

const holdsLease = ({ jobs }: Worker, now: number): boolean =>
  jobs.some(({ leaseUntil }) => leaseUntil > now);

/** Lost ones first, then by name, so that cards keep their position. */
const rank = ({ status }: Worker): number => (status === 'lost' ? 0 : 1);
