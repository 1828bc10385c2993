/** What the registry of workers says is wrong. Pure. */
import { LIVE_STATUSES } from '@/lib/contract/workers/worker-limits';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { count } from '@/lib/format/plural';

const RECENT_MS = 60_000;
/** A worker's clock may differ from that of Redis, and its end is recorded a moment late. */
const CLOCKS_MS = 5_000;

export interface WorkerLoss {
  /** "74 worker crashes in 1 min (SIGKILL, 4 of 4 workers)". */
  readonly text: string;
  /** At least half of the workers were lost. */
  readonly isMost: boolean;
  /** The queues they served. */
  readonly queues: ReadonlySet<string>;
}

const isAlive = ({ status }: Worker): boolean => LIVE_STATUSES.has(status);

/** Workers that crashed, or whose heartbeat was lost, in the last minute; null: none. */
export function recentLoss(workers: readonly Worker[], now: number): WorkerLoss | null {
  const crashed = workers.filter(
    ({ status, end }) => status === 'crashed' && now - (end?.at ?? 0) < RECENT_MS,
  );
  const lost = workers.filter(({ status, lastSeenAt }) => status === 'lost' && now - lastSeenAt < RECENT_MS);
  const gone = [...crashed, ...lost];
  if (gone.length === 0) return null;
  const causes = [...new Set(crashed.map(({ end }) => end?.cause ?? 'unknown'))].sort();
  const present = [...gone, ...workers.filter(isAlive)];
  const nameOf = haveSlots(present, now) ? slotOf : ({ workerId }: Worker) => workerId;
  const affected = new Set(gone.map(nameOf));
  const all = new Set(present.map(nameOf));
  const parts = [
    crashed.length > 0 ? count(crashed.length, 'worker crash', 'worker crashes') : '',
    lost.length > 0 ? `${count(lost.length, 'worker')} without a heartbeat` : '',
  ];
  const why = [
    causes.length > 2 ? `${causes.length} causes` : causes.join(' and '),
    `${affected.size} of ${count(all.size, 'worker')}`,
  ];
  return {
    text: `${parts.filter(Boolean).join(' and ')} in 1 min (${why.filter(Boolean).join(', ')})`,
    isMost: affected.size * 2 >= all.size,
    queues: new Set(gone.flatMap(({ queues }) => Object.keys(queues))),
  };
}

/** The id without process id and tail. A supervised worker that is started again has the same, and is the same worker to an operator. */
const slotOf = ({ workerId }: Worker): string => workerId.replace(/-\d+-[0-9a-z]+$/, '');

/** No two workers of one slot ran at the same time: the slots are of a supervisor, not all processes of a host. */
function haveSlots(workers: readonly Worker[], now: number): boolean {
  const endOf = ({ end, status, lastSeenAt }: Worker) => end?.at ?? (status === 'lost' ? lastSeenAt : now);
  const until = new Map<string, number>();
  for (const worker of [...workers].sort((a, b) => a.startedAt - b.startedAt)) {
    const slot = slotOf(worker);
    if ((until.get(slot) ?? 0) - CLOCKS_MS > worker.startedAt) return false;
    until.set(slot, endOf(worker));
  }
  return true;
}

/** Job type → live workers whose circuit breaker for it is not closed. */
export function openBreakers(workers: readonly Worker[]): Map<string, number> {
  const open = new Map<string, number>();
  for (const worker of workers)
    if (isAlive(worker))
      for (const { jobType, state } of worker.breakers)
        if (state !== 'closed') open.set(jobType, (open.get(jobType) ?? 0) + 1);
  return new Map([...open].sort(([a], [b]) => (a < b ? -1 : 1)));
}
