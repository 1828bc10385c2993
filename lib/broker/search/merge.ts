/**
 * One search over several places, in one order. Whoever is least far goes on first, so that hardly anything is looked at that a
 * page does not need.
 */
import type { SearchPosition } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { inLanes } from '../sharded/fan-out';
import type { Place } from '../sharded/places';
import { compile, type Question } from './compile';
import { holdingPlaces } from './holding';
import { bySpot, type Spot, startIn } from './position';
import { type Hit, openWalk, type Walk } from './scan';
import type { Order } from './step';

export interface Entry extends Hit, Spot {
  readonly place: Place;
}
export interface Merge {
  /** Every place was seen to its end, and all that was found was handed out. */
  readonly finished: boolean;
  readonly scanned: number;
  /** Entries the sources hold. */
  readonly of: number;
  readonly missing: readonly { place: Place; error: unknown }[];
  /** Whether rows are read, which costs more. */
  readonly heavy: boolean;
  /** One round: looks a little further, and hands out what is sure to come next, at most `limit`. */
  pump(limit: number, budget: number): Promise<Entry[]>;
  /** Everything up to here was looked at and handed out; null: no such place is known, as when it has only begun. */
  frontier(): Spot | null;
}

/** Asked at a time: a search must not take Redis for itself because there are many places. */
const PLACES_AT_ONCE = 4;
const LEAST_STEP = 25;

interface Lane {
  readonly walk: Walk;
  readonly found: Entry[];
}

export async function openMerge(
  ctx: BrokerContext,
  all: readonly Place[],
  question: Question,
  order: Order,
  from: SearchPosition | null,
): Promise<Merge> {
  const plans = all.map((place) => ({ place, plan: compile(question, place.queue) }));
  const places = await holdingPlaces(
    ctx,
    plans.filter(({ plan }) => !plan.nothing).map(({ place }) => place),
    question.state,
  );
  let lanes: Lane[] = places.map((place) => ({
    walk: openWalk(ctx, place, question, order, startIn(place, from, order), true),
    found: [],
  }));
  const missing: { place: Place; error: unknown }[] = [];
  const first = bySpot(order);
  const spotOf = ({ walk }: Lane): Spot | null => walk.mark && { place: walk.place, mark: walk.mark };
  /** Those of which it is not known what comes next. */
  const open = () => lanes.filter(({ walk, found }) => found.length === 0 && !walk.done);
  const leastFar = (a: Spot | null, b: Spot | null) => (a && b ? first(a, b) : a ? 1 : b ? -1 : 0);

  function handOut(limit: number): Entry[] {
    const out: Entry[] = [];
    const edges = open().map(spotOf);
    while (out.length < limit) {
      const [next] = leastOf(
        lanes.filter(({ found }) => found.length > 0),
        1,
        (a, b) => leastFar(a.found[0] ?? null, b.found[0] ?? null),
      );
      const entry = next?.found[0];
      if (!next || !entry || !edges.every((edge) => edge && first(entry, edge) <= 0)) return out;
      out.push(entry);
      next.found.shift();
      if (next.found.length === 0 && !next.walk.done) edges.push(spotOf(next));
    }
    return out;
  }

  return {
    heavy: plans.some(({ plan }) => plan.heavy),
    missing,
    get finished() {
      return lanes.every(({ walk, found }) => walk.done && found.length === 0);
    },
    get scanned() {
      return lanes.reduce((sum, { walk }) => sum + walk.scanned, 0);
    },
    get of() {
      return lanes.reduce((sum, { walk }) => sum + (walk.of ?? 0), 0);
    },
    async pump(limit, budget) {
      const behind = leastOf(open(), PLACES_AT_ONCE, (a, b) => leastFar(spotOf(a), spotOf(b)));
      const most = Math.max(LEAST_STEP, Math.floor(budget / Math.max(1, behind.length)));
      await inLanes(behind, PLACES_AT_ONCE, async (lane) => {
        const { walk } = lane;
        try {
          for (const hit of await walk.next(most, limit))
            lane.found.push({ ...hit, place: walk.place, mark: { score: hit.raw, jobId: hit.jobId } });
        } catch (error) {
          missing.push({ place: walk.place, error });
          lanes = lanes.filter((one) => one !== lane);
        }
      });
      if (lanes.length === 0 && missing[0]) throw missing[0].error;
      return handOut(limit);
    },
    // What was found behind it comes again: it was not handed out. What was found before it and is not handed out yet must not be
    // passed over, so then there is no such spot.
    frontier() {
      const edges = open();
      if (!edges.every(({ walk }) => walk.scanned > 0)) return null;
      const spot = edges.map(spotOf).sort(leastFar)[0] ?? null;
      return spot && lanes.some(({ found: [next] }) => next && first(next, spot) <= 0) ? null : spot;
    },
  };
}

/** The first `count` in order. There may be thousands to choose from, and it is done again and again: sorting all costs too much. */
function leastOf<T>(items: readonly T[], count: number, order: (a: T, b: T) => number): T[] {
  const least: T[] = [];
  for (const item of items) {
    const last = least.at(-1);
    if (least.length === count && last !== undefined && order(item, last) >= 0) continue;
    const at = least.findIndex((one) => order(item, one) < 0);
    least.splice(at < 0 ? least.length : at, 0, item);
    if (least.length > count) least.pop();
  }
  return least;
}
