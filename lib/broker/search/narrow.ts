/**
 * A better place to look at than a query says by itself: what is alike of the dead letters tells which values those that match can
 * have. `version:2 -class:crash` names no range of an index, but if only three groups have such jobs, these are all to be seen.
 */
import type { BrokerContext } from '../context';
import type { Place } from '../sharded/places';
import { compile, type Question } from './compile';
import { type Combination, type Cube, cubeOf } from './cube';
import { judgedBy } from './cube-judge';
import { PARTS_MAX, type Source } from './sources';

const FACETS = ['group', 'tenant', 'code', 'type', 'class'] as const;

export interface Narrowed {
  /** Empty: nothing matches. */
  readonly source: Source;
  /** How many entries it holds, as far as the cube knows. */
  readonly size: number;
}

/** Null: nothing better is known than to look at all of `size`. */
export async function narrowed(
  ctx: BrokerContext,
  place: Place,
  question: Question,
  size: number,
): Promise<Narrowed | null> {
  if (question.state !== 'dead') return null;
  const cube = await cubeOf(ctx, place.name);
  if (!cube) return null;
  const values = valuesThatFit(cube, question, place);
  if (values.group.size === 0) return { source: [], size: 0 };
  const sizes = sizesOf(cube);
  let best: Narrowed | null = null;
  for (const facet of FACETS) {
    if (values[facet].size > PARTS_MAX) continue;
    const source = [...values[facet]].map((value) => `${facet}=${value}`);
    const holds = source.reduce((sum, part) => sum + (sizes.get(part) ?? 0), 0);
    if (holds < (best?.size ?? size)) best = { source, size: holds };
  }
  return best;
}

type Values = Record<(typeof FACETS)[number], Set<string>>;

/** Of each facet the values of those that match or may match, or one more than are of use. */
function valuesThatFit(cube: Cube, question: Question, place: Place): Values {
  const values: Values = {
    group: new Set(),
    tenant: new Set(),
    code: new Set(),
    type: new Set(),
    class: new Set(),
  };
  const { cells, maybe } = judgedBy(cube, compile(question, place.queue).timeless, place.queue);
  for (const some of [cells, maybe])
    for (const { of } of some) {
      for (const facet of FACETS) if (values[facet].size <= PARTS_MAX) values[facet].add(of[facet]);
      if (FACETS.every((facet) => values[facet].size > PARTS_MAX)) return values;
    }
  return values;
}

/** By its cells: they stay the same as long as nothing changes, however often they are read. */
const known = new WeakMap<Cube['cells'], Map<string, number>>();
function sizesOf({ cells }: Cube): Map<string, number> {
  const found = known.get(cells);
  if (found) return found;
  const sizes = new Map<string, number>();
  const add = (facet: (typeof FACETS)[number], of: Combination, count: number) => {
    const part = `${facet}=${of[facet]}`;
    sizes.set(part, (sizes.get(part) ?? 0) + count);
  };
  for (const { of, count } of cells) for (const facet of FACETS) add(facet, of, count);
  known.set(cells, sizes);
  return sizes;
}
