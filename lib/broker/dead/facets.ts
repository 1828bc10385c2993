import type { DeadFacets } from '@/lib/contract/dead';
import { queueNames } from '../inspect/snapshot';
import { list, text } from '../reply';
import { askPlaces, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';

const FACETS = ['type', 'tenant', 'code', 'class'] as const;
type Facet = (typeof FACETS)[number];
/** Values shown per facet; more exist only for tenants and codes, and the filter takes any of them. */
export const FACET_MAX_VALUES = 200;
/** Asked at a time: facets must not take Redis for themselves because there are many queues. */
const PLACES_AT_ONCE = 8;

/**
 * The values of each facet with exact counts, most first. Costs the number of values, not of dead letters. What cannot be
 * read is left out; the page of dead letters says so.
 */
export async function deadFacets(ctx: ShardedContext, queue?: string): Promise<DeadFacets> {
  const places = await placesOf(ctx, queue === undefined ? await queueNames(ctx) : [queue]);
  const { found } = await askPlaces(places, PLACES_AT_ONCE, async ({ name }) =>
    valuesOf(list(await ctx.run('dead-facets', name, [FACET_MAX_VALUES, ...FACETS]), 'dead-facets')),
  );
  const perQueue = new Map<string, number>();
  for (const { place, value } of found)
    for (const count of value.class.values())
      perQueue.set(place.queue, (perQueue.get(place.queue) ?? 0) + count);
  const parts = found.map(({ value }) => value);
  return {
    queue: mostFirst(perQueue),
    type: mostFirst(summed(parts, 'type')),
    tenant: mostFirst(summed(parts, 'tenant')),
    code: mostFirst(summed(parts, 'code')),
    class: mostFirst(summed(parts, 'class')),
  };
}

type Values = Record<Facet, Map<string, number>>;

function valuesOf(reply: readonly unknown[]): Values {
  const values: Values = { type: new Map(), tenant: new Map(), code: new Map(), class: new Map() };
  for (let i = 0; i + 2 < reply.length; i += 3) {
    const facet = FACETS.find((name) => name === text(reply[i]));
    if (facet) values[facet].set(text(reply[i + 1]), Number(reply[i + 2]));
  }
  return values;
}

/**
 * Each place names its first values in the order of names. Behind the last name of one that had more to say its count is not
 * known, so what the others say of those names would be too small a number: it is not shown.
 */
function summed(parts: readonly Values[], facet: Facet): Map<string, number> {
  const total = new Map<string, number>();
  let knownUpTo: string | null = null;
  for (const values of parts.map((part) => part[facet])) {
    const last = values.size >= FACET_MAX_VALUES ? ([...values.keys()].at(-1) ?? null) : null;
    if (last !== null && (knownUpTo === null || inIndex(last) < inIndex(knownUpTo))) knownUpTo = last;
    for (const [value, count] of values) total.set(value, (total.get(value) ?? 0) + count);
  }
  return new Map([...total].filter(([value]) => knownUpTo === null || inIndex(value) <= inIndex(knownUpTo)));
}

/** As the index writes it, and so orders it: `a-b` stands before `a`. */
const inIndex = (value: string) => `${value}|`;

const mostFirst = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, FACET_MAX_VALUES);
