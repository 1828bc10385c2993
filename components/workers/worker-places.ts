/** Places of the cards of live workers. A worker that ends leaves its place empty, so that nothing below moves; pure. */
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { endedAt, type groupWorkers, workerName } from './worker-groups';

export interface WorkerPlace {
  /** As it was last seen alive: its card keeps that height. */
  readonly worker: Worker;
  /** As it ended; null: it is alive. */
  readonly ended: Worker | null;
}

/** A tab left open for days keeps no more; the earliest ended leave first. */
export const EMPTY_PLACES_MAX = 20;

/** Live workers stay where they were. A new one takes the place of the worker it replaces, or any empty one, or a new one at the end. */
export function holdPlaces(
  before: readonly WorkerPlace[],
  { alive, ended }: ReturnType<typeof groupWorkers>,
): readonly WorkerPlace[] {
  const newcomers = new Map(alive.map((worker) => [worker.workerId, worker]));
  const gone = new Map(ended.map((worker) => [worker.workerId, worker]));
  const places = before.flatMap(({ worker, ended: known }): WorkerPlace[] => {
    const live = newcomers.get(worker.workerId);
    newcomers.delete(worker.workerId);
    if (live) return [{ worker: live, ended: null }];
    const last = gone.get(worker.workerId) ?? known;
    return last ? [{ worker, ended: last }] : [];
  });
  for (const worker of newcomers.values()) {
    const same = places.findIndex((place) => place.ended !== null && isReplacement(worker, place.worker));
    const empty = same >= 0 ? same : places.findIndex((place) => place.ended !== null);
    places.splice(empty >= 0 ? empty : places.length, empty >= 0 ? 1 : 0, { worker, ended: null });
  }
  return withinBounds(places);
}

const isReplacement = (worker: Worker, former: Worker): boolean =>
  worker.host === former.host && workerName(worker) === workerName(former);

function withinBounds(places: readonly WorkerPlace[]): readonly WorkerPlace[] {
  const latest = places
    .filter(({ ended }) => ended !== null)
    .sort((a, b) => endedAt(b.ended ?? b.worker) - endedAt(a.ended ?? a.worker));
  const surplus = new Set(latest.slice(EMPTY_PLACES_MAX));
  return surplus.size === 0 ? places : places.filter((place) => !surplus.has(place));
}
