/** What a slot's card shows, from the supervisor's report, the crash log and the worker's own report; pure. */
import type { LabCrash, LabSlot } from '@/lib/contract/lab';
import type { Worker } from '@/lib/contract/workers';

/** A crash is over in a blink; the card stays red this long, so that a person can see it. */
export const HURT_MS = 6_000;

export interface SlotView {
  slot: LabSlot;
  worker: Worker | null;
  /** True while the last crash is fresh. */
  hurt: boolean;
  /** The log's entry of the last crash, when it can be told whose it was. */
  crash: LabCrash | null;
}

/** Which slot each worker ran in, as far as was seen. */
export type Occupants = ReadonlyMap<string, number>;

export function remember(occupants: Occupants, slots: readonly LabSlot[]): Occupants {
  const fresh = slots.filter(({ workerId }) => workerId !== null && !occupants.has(workerId));
  if (fresh.length === 0) return occupants;
  const all = [...occupants, ...fresh.map(({ workerId, slot }): [string, number] => [workerId ?? '', slot])];
  return new Map(all.slice(-200));
}

export function slotViews(
  slots: readonly LabSlot[],
  workers: readonly Worker[],
  crashes: readonly LabCrash[],
  occupants: Occupants,
  now: number,
): SlotView[] {
  const byId = new Map(workers.map((worker) => [worker.workerId, worker]));
  return slots.map((slot) => ({
    slot,
    worker:
      slot.status === 'running' || slot.status === 'stopping'
        ? (byId.get(slot.workerId ?? '') ?? null)
        : null,
    hurt: slot.lastCrash !== null && now - slot.lastCrash.at < HURT_MS,
    crash: crashes.find(({ workerId }) => occupants.get(workerId) === slot.slot) ?? null,
  }));
}

/** "SIGKILL · pid 1234 · 3 jobs reclaimed". */
export function crashWords({ slot, crash }: SlotView): string {
  if (!slot.lastCrash) return '';
  const same = crash !== null && Math.abs(crash.at - slot.lastCrash.at) < 2_000 ? crash : null;
  const reclaimed = Math.max(slot.lastCrash.reclaimed, same?.reclaimed ?? 0);
  const parts = [
    slot.lastCrash.cause,
    ...(same ? [`pid ${same.pid}`] : []),
    reclaimed === 0 ? 'held no job' : `${reclaimed} ${reclaimed === 1 ? 'job' : 'jobs'} reclaimed`,
  ];
  return parts.join(' · ');
}

/** Columns and rows that keep up to sixteen slots in sight. */
export const columnsFor = (slots: number): number => (slots <= 4 ? 2 : slots <= 9 ? 3 : 4);

/** Few slots show each job in words; many show rings only. */
export const isRoomy = (slots: number, concurrency: number): boolean => slots <= 9 && concurrency <= 4;
