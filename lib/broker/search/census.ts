/**
 * What matches, told by what is alike of it: from the cubes when they can say it, else from the newest matches, and then it says
 * of how many.
 */
import type { BrokerContext } from '../context';
import { grouped } from '../sharded/fan-out';
import { askPlaces, type Place } from '../sharded/places';
import { compile, isDeath } from './compile';
import { type Count, countMatches } from './count';
import { type Combination, cubeOf } from './cube';
import { judgedBy } from './cube-judge';
import { parseDeath } from './death';
import { factsOfEntries } from './entry-facts';
import { type Entry, openMerge } from './merge';
import type { Search } from './request';

export interface Alike {
  readonly of: Alikeness;
  readonly count: number;
}
/** Null: such a job has none. */
export type Alikeness = Omit<Combination, 'group' | 'class' | 'code'> & {
  readonly group: string | null;
  readonly class: string | null;
  readonly code: string | null;
};
export interface Census {
  /** When it was true, by Redis's clock. */
  readonly at: number;
  readonly parts: readonly { readonly place: Place; readonly cells: readonly Alike[] }[];
  readonly matching: Count;
  /** Null: of all that match. */
  readonly sampled: number | null;
  /** When the sampled got into their state; null: the cubes do not say. */
  readonly entered: readonly number[] | null;
  readonly missing: readonly Place[];
}

/** Matches a sample has: of what died a line each is read, of others all there is. */
const SAMPLE = 1_000;
const SAMPLE_ROWS = 500;
/** Entries looked at for it. */
const BUDGET_LIGHT = 20_000;
const BUDGET_HEAVY = 10_000;
const PLACES_AT_ONCE = 8;

export async function census(ctx: BrokerContext, search: Search): Promise<Census> {
  const taken =
    (search.question.state === 'dead' ? await fromCubes(ctx, search) : null) ?? (await sampled(ctx, search));
  return search.unsearched === 0 ? taken : { ...taken, matching: { ...taken.matching, exact: false } };
}

/** Null: they do not decide the query. */
async function fromCubes(ctx: BrokerContext, { question, places, now }: Search): Promise<Census | null> {
  const asked = places.flatMap((place) => {
    const plan = compile(question, place.queue);
    return plan.nothing ? [] : [{ ...place, plan }];
  });
  if (asked.some(({ plan }) => plan.low !== '-inf' || plan.high !== '+inf')) return null;
  const { found, missing } = await askPlaces(asked, PLACES_AT_ONCE, async (place) => {
    const cube = await cubeOf(ctx, place.name);
    return cube && { at: cube.at, ...judgedBy(cube, place.plan.timeless, place.queue) };
  });
  const parts: { place: Place; cells: readonly Alike[] }[] = [];
  let [at, count] = [now, 0];
  for (const { place, value } of found) {
    if (!value || value.open > 0) return null;
    if (value.count > 0) parts.push({ place, cells: value.cells });
    at = Math.min(at, value.at);
    count += value.count;
  }
  return {
    at,
    parts,
    matching: { count, exact: missing.length === 0 },
    sampled: null,
    entered: null,
    missing: missing.map(({ place }) => place),
  };
}

/** @param most matches of that many at most: fewer are quicker, where little is asked of them */
export async function sampled(ctx: BrokerContext, search: Search, most = SAMPLE): Promise<Census> {
  const { question, places, order, now, within } = search;
  const merge = await openMerge(ctx, places, question, order, null);
  const limit = isDeath(question.state) ? most : SAMPLE_ROWS;
  const budget = merge.heavy ? BUDGET_HEAVY : BUDGET_LIGHT;
  const entries: Entry[] = [];
  while (entries.length < limit && !merge.finished && merge.scanned < budget)
    entries.push(...(await merge.pump(limit - entries.length, budget - merge.scanned)));
  const { found, entered } = isDeath(question.state)
    ? ofDeaths(entries)
    : await ofOthers(ctx, entries, question.state, within);
  const counted = merge.finished
    ? null
    : await countMatches(ctx, places, { ...question, budget: 250, recent: true });
  const whole = merge.missing.length === 0;
  return {
    at: now,
    parts: [...grouped(found, ({ place }) => place.name).values()].flatMap(({ items }) =>
      items[0] ? [{ place: items[0].place, cells: items }] : [],
    ),
    matching: merge.finished
      ? { count: entries.length, exact: whole }
      : {
          count: Math.max(entries.length, counted?.count ?? 0),
          exact: whole && counted?.exact === true,
        },
    sampled: merge.finished ? null : entries.length,
    entered,
    missing: merge.missing.map(({ place }) => place),
  };
}

interface Known {
  found: (Alike & { place: Place })[];
  entered: number[];
}

function ofDeaths(entries: readonly Entry[]): Known {
  const found = entries.flatMap(({ place, death }) => {
    const of = parseDeath(death ?? '');
    return of ? [{ place, of, count: 1 }] : [];
  });
  return { found, entered: entries.map((entry) => entry.score) };
}

async function ofOthers(
  ctx: BrokerContext,
  entries: readonly Entry[],
  state: Search['question']['state'],
  within: Search['within'],
): Promise<Known> {
  const found = await factsOfEntries(ctx, state, entries, { within });
  return {
    found: found.map(({ place, facts }) => ({ place, of: facts, count: 1 })),
    entered: found.map(({ facts }) => facts.enteredAt),
  };
}
