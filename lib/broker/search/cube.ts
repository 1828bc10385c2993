/**
 * How many dead letters of a place are alike, in seven things at once: what answers counts, facets and groups without looking at
 * the jobs. Read in parts and kept for about a second, longer only if nothing has changed.
 */
import type { BrokerContext } from '../context';
import { list, text } from '../reply';

export interface Combination {
  readonly group: string;
  readonly type: string;
  readonly version: number;
  readonly tenant: string;
  readonly class: string;
  readonly code: string;
  readonly attempts: number;
}
export interface Counted {
  /** As it is stored. */
  readonly field: string;
  readonly of: Combination;
  readonly count: number;
}
export interface Cube {
  /** When it was read, by Redis's clock. */
  readonly at: number;
  /** Nothing changed while it was read. */
  readonly whole: boolean;
  readonly cells: readonly Counted[];
}

/** Fields it may have to be of use. */
const FIELDS_MAX = 50_000;
const KEEP_MS = 1_000;
/** Smaller ones are asked each time whether anything has happened: that is one call, which brings the most of what is new. */
const SMALL_FIELDS = 2_000;
/** Fields kept in all; beyond, what was used longest ago goes. */
const KEPT_FIELDS = 200_000;
/** HSCAN may answer with more or fewer than it was asked for; it ends. */
const PARTS_MAX = 1_000;

interface Kept {
  stamp: string;
  readAtMs: number;
  cube: Cube | null;
  reading: Promise<Cube | null> | null;
}
const kept = new WeakMap<BrokerContext, Map<string, Kept>>();

/**
 * Null: this place has none that can be relied on.
 * @param fresh read now, whatever is kept: for what must not be decided by how it was a second ago
 */
export async function cubeOf(ctx: BrokerContext, name: string, fresh = false): Promise<Cube | null> {
  if (fresh) return (await read(ctx, name, null)).cube;
  const places = kept.get(ctx) ?? new Map<string, Kept>();
  kept.set(ctx, places);
  const entry = places.get(name) ?? {
    stamp: '',
    readAtMs: Number.NEGATIVE_INFINITY,
    cube: null,
    reading: null,
  };
  // Behind all others: those in front are dropped first.
  places.delete(name);
  places.set(name, entry);
  if (entry.reading) return entry.reading;
  const large = (entry.cube?.cells.length ?? 0) > SMALL_FIELDS;
  if (large && performance.now() - entry.readAtMs < KEEP_MS) return entry.cube;
  entry.reading = read(ctx, name, entry)
    .then(({ stamp, cube }) => {
      Object.assign(entry, { stamp, cube, readAtMs: performance.now() });
      dropOldest(places);
      return cube;
    })
    .finally(() => {
      entry.reading = null;
    });
  return entry.reading;
}

function dropOldest(places: Map<string, Kept>): void {
  let fields = 0;
  for (const { cube } of places.values()) fields += 1 + (cube?.cells.length ?? 0);
  for (const [name, { cube, reading }] of places) {
    if (fields <= KEPT_FIELDS) return;
    if (reading) continue;
    places.delete(name);
    fields -= 1 + (cube?.cells.length ?? 0);
  }
}

async function read(
  ctx: BrokerContext,
  name: string,
  before: Pick<Kept, 'stamp' | 'cube'> | null,
): Promise<{ stamp: string; cube: Cube | null }> {
  const counts = new Map<string, number>();
  let [cursor, at, stamp, whole] = ['', 0, '', true];
  for (let part = 0; part < PARTS_MAX; part += 1) {
    const reply = list(
      await ctx.run('search-cube', name, [cursor, before?.cube ? before.stamp : '', FIELDS_MAX + 1]),
      'search-cube',
    );
    if (reply[2] !== 1) return { stamp: '', cube: null };
    if (cursor === '') {
      at = Number(reply[0]);
      stamp = text(reply[1]);
    }
    whole &&= stamp === text(reply[1]);
    cursor = text(reply[3]);
    if (cursor === 'same') return { stamp, cube: before?.cube ? { ...before.cube, at } : null };
    for (let i = 4; i + 1 < reply.length; i += 2) counts.set(text(reply[i]), Number(text(reply[i + 1])));
    if (cursor === '0') break;
  }
  // Most were there before: they need not be taken apart again.
  const known = new Map(before?.cube?.cells.map((cell) => [cell.field, cell.of]));
  const cells: Counted[] = [];
  for (const [field, count] of counts) {
    const of = known.get(field) ?? combinationIn(field);
    if (of && count > 0) cells.push({ field, of, count });
  }
  return { stamp, cube: { at, whole, cells } };
}

/** `<group> <type> <version> <tenant> <class> <code> <attempt>`; null for the fields that are no counts. */
function combinationIn(field: string): Combination | null {
  const [group, type, version, tenant, errorClass, code, attempts] = field.split(' ');
  if (!group || !type || !tenant || !errorClass || !code || attempts === undefined) return null;
  return {
    group,
    type,
    version: Number(version),
    tenant,
    class: errorClass,
    code,
    attempts: Number(attempts),
  };
}
