/** The view of a worker process from the supervisor, the crash log and the worker; pure. */
import type { LabCrash, LabProcess } from '@/lib/contract/lab/lab-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';

/** How long a card stays red after a crash. */
export const CRASH_HIGHLIGHT_MS = 6_000;

export interface ProcessView {
  process: LabProcess;
  worker: Worker | null;
  crashedRecently: boolean;
  /** The crash log's entry, if it can be assigned to this process. */
  crash: LabCrash | null;
}

/** Worker id → process number, as observed. */
export type Occupants = ReadonlyMap<string, number>;

export function addOccupants(occupants: Occupants, processes: readonly LabProcess[]): Occupants {
  const fresh = processes.filter(({ workerId }) => workerId !== null && !occupants.has(workerId));
  if (fresh.length === 0) return occupants;
  const all = [
    ...occupants,
    ...fresh.map(({ workerId, slot: number }): [string, number] => [workerId ?? '', number]),
  ];
  return new Map(all.slice(-200));
}

export function processViews(
  processes: readonly LabProcess[],
  workers: readonly Worker[],
  crashes: readonly LabCrash[],
  occupants: Occupants,
  now: number,
): ProcessView[] {
  const byId = new Map(workers.map((worker) => [worker.workerId, worker]));
  return processes.map((process) => ({
    process,
    worker:
      process.status === 'running' || process.status === 'stopping'
        ? (byId.get(process.workerId ?? '') ?? null)
        : null,
    crashedRecently: process.lastCrash !== null && now - process.lastCrash.at < CRASH_HIGHLIGHT_MS,
    crash: crashes.find(({ workerId }) => occupants.get(workerId) === process.slot) ?? null,
  }));
}

/** After its end a lease waits for maintenance this long at most. */
const LEASE_LINGER_MS = 3_000;

/** Leases of a crash whose jobs have not returned. */
export const openLeases = (crash: LabCrash | null, now: number): { jobId: string; leaseUntil: number }[] =>
  crash === null || crash.reclaimed > 0
    ? []
    : crash.jobs.flatMap(({ jobId, leaseUntil }) =>
        leaseUntil !== null && leaseUntil > now - LEASE_LINGER_MS ? [{ jobId, leaseUntil }] : [],
      );

/** "SIGKILL · pid 1234 · 3 jobs reclaimed". */
export function crashLabel({ process, crash }: ProcessView): string {
  if (!process.lastCrash) return '';
  const same = crash !== null && Math.abs(crash.at - process.lastCrash.at) < 2_000 ? crash : null;
  const reclaimed = Math.max(process.lastCrash.reclaimed, same?.reclaimed ?? 0);
  const parts = [
    process.lastCrash.cause,
    ...(same ? [`pid ${same.pid}`] : []),
    reclaimed === 0 && same && same.jobs.length > 0
      ? `holds ${same.jobs.length} ${same.jobs.length === 1 ? 'job' : 'jobs'}`
      : reclaimed === 0
        ? 'no jobs'
        : `${reclaimed} ${reclaimed === 1 ? 'job' : 'jobs'} reclaimed`,
  ];
  return parts.join(' · ');
}

/** Up to sixteen processes fit on the screen. */
export const columnsFor = (processes: number): number => (processes <= 4 ? 2 : processes <= 9 ? 3 : 4);

/** Few processes show job types; many show rings only. */
export const isRoomy = (processes: number, concurrency: number): boolean =>
  processes <= 9 && concurrency <= 4;
