/** Which dots a batch of movements sends over the board. Pure, so that it can be tested without a clock. */
import type { Movement } from '@/lib/contract/live';
import { ROADS, type Road } from './flow-places';

export interface Dot {
  key: string;
  road: Road;
  /** Spreads a second's dots over that second instead of starting them all with its frame. */
  delayMs: number;
}

/** More than this on the board is a smear, not information. */
export const DOTS_MAX = 48;
const PER_MOVEMENT_MAX = 6;
const SPREAD_MS = 900;
const BY_EVENT = new Map(ROADS.map((road) => [road.event, road]));

/** Dots for movements that came after `lastId`, at most `room`. Evenly thinned when there are more. */
export function dotsFor(movements: readonly Movement[], seen: ReadonlySet<string>, room: number): Dot[] {
  const fresh = movements.filter((movement) => !seen.has(movement.id) && BY_EVENT.has(movement.event));
  const wanted = fresh.flatMap((movement, i) => {
    const road = BY_EVENT.get(movement.event);
    if (!road) return [];
    const many = Math.min(PER_MOVEMENT_MAX, movement.count);
    return Array.from({ length: many }, (_, n) => ({
      key: `${movement.id}.${n}`,
      road,
      delayMs: Math.round((SPREAD_MS * (i + n / many)) / fresh.length),
    }));
  });
  if (wanted.length <= room) return wanted;
  const step = wanted.length / Math.max(1, room);
  return Array.from({ length: Math.max(0, room) }, (_, i) => wanted[Math.floor(i * step)]).filter(
    (dot) => dot !== undefined,
  );
}
