/** The one order of a search over several queues and shards, and where in it a page ends. */
import type { SearchPosition } from '@/lib/contract/verbs';
import { byPlace, type Place } from '../sharded/places';
import type { Mark, Order } from './step';

export interface Spot {
  readonly place: Pick<Place, 'queue' | 'shard'>;
  readonly mark: Mark;
}

/** By score; then by queue and shard; then by id, as each index has it. */
export function bySpot(order: Order): (a: Spot, b: Spot) => number {
  const sign = order === 'newest' ? -1 : 1;
  return (a, b) => {
    const scores = Number(a.mark.score) - Number(b.mark.score);
    if (scores !== 0) return sign * scores;
    const places = byPlace(a.place, b.place);
    if (places !== 0) return places;
    return a.mark.jobId === b.mark.jobId ? 0 : a.mark.jobId < b.mark.jobId ? -sign : sign;
  };
}

/** Where a place's own index goes on behind a position in the whole. */
export function startIn(place: Place, from: SearchPosition | null, order: Order): Mark | null {
  if (from === null) return null;
  const { score, jobId } = from;
  const side = byPlace(place, from);
  if (side === 0) return { score, jobId };
  // One that is later in the order still has to show what has that same score; an earlier one has shown it.
  const beyond = side > 0 === (order === 'newest');
  return { score: beyond ? String(Number(score) + 1) : score, jobId: '' };
}
