/** Judges a filter by what is alike of several dead letters: true or false for all of them, or null when they may differ. */
import { type Comparison, type Filter, filterKey, normalise } from '@/lib/contract/query';
import type { Combination, Counted, Cube } from './cube';
import { listsIn, type NameList } from './names';

type Judge = (of: Combination) => boolean | null;
const UNKNOWN: Judge = () => null;

function judgeOf(filter: Filter, queue: string): Judge {
  return judging(normalise(filter), queue);
}

function judging(filter: Filter, queue: string): Judge {
  switch (filter.kind) {
    case 'all':
      return () => true;
    case 'and':
      return several(
        filter.of.map((part) => judging(part, queue)),
        false,
      );
    case 'or': {
      const { lists, others } = listsIn(filter.of);
      return several([...lists.map(judgingList), ...others.map((part) => judging(part, queue))], true);
    }
    case 'not': {
      const judge = judging(filter.of, queue);
      return (of) => {
        const fits = judge(of);
        return fits === null ? null : !fits;
      };
    }
    case 'name':
      return judgingName(filter, queue);
    case 'number': {
      const { field, compare, value } = filter;
      if (field === 'priority') return UNKNOWN;
      return field === 'version'
        ? (of) => compares(of.version, compare, value)
        : (of) => compares(of.attempts, compare, value);
    }
    default:
      return UNKNOWN;
  }
}

function judgingList({ field, values }: NameList): Judge {
  if (field === 'id') return UNKNOWN;
  const wanted = new Set(values);
  return (of) => wanted.has(of[field]);
}

function judgingName({ field, value, prefix }: Extract<Filter, { kind: 'name' }>, queue: string): Judge {
  const fits = (has: string) => (prefix || field === 'group' ? has.startsWith(value) : has === value);
  switch (field) {
    case 'queue': {
      const here = fits(queue);
      return () => here;
    }
    case 'type':
    case 'tenant':
    case 'code':
    case 'class':
    case 'group':
      return (of) => fits(of[field]);
    default:
      return UNKNOWN;
  }
}

/** @param decisive what one of them decides for all: true in an OR, false in an AND */
function several(judges: readonly Judge[], decisive: boolean): Judge {
  return (of) => {
    let unsure = false;
    for (const judge of judges) {
      const fits = judge(of);
      if (fits === decisive) return decisive;
      if (fits === null) unsure = true;
    }
    return unsure ? null : !decisive;
  };
}

function compares(a: number, compare: Comparison, b: number): boolean {
  switch (compare) {
    case '=':
      return a === b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

export interface Judged {
  /** Those that fit. */
  readonly cells: readonly Counted[];
  /** Those that may fit. */
  readonly maybe: readonly Counted[];
  readonly count: number;
  /** How many more may fit. 0: the cube says it all. */
  readonly open: number;
}

/**
 * The last few questions a cube was asked: a page, its count, its facets and its groups ask the same. By its cells, which stay the same
 * as long as nothing changes.
 */
const answers = new WeakMap<Cube['cells'], Map<string, Judged>>();
const ANSWERS_MAX = 16;

export function judgedBy(cube: Cube, filter: Filter, queue: string): Judged {
  const known = answers.get(cube.cells) ?? new Map<string, Judged>();
  answers.set(cube.cells, known);
  const key = `${queue} ${filterKey(filter)}`;
  const found = known.get(key) ?? judged(cube, judgeOf(filter, queue));
  known.delete(key);
  known.set(key, found);
  for (const oldest of known.keys()) {
    if (known.size <= ANSWERS_MAX) break;
    known.delete(oldest);
  }
  return found;
}

function judged(cube: Cube, judge: Judge): Judged {
  const cells: Counted[] = [];
  const maybe: Counted[] = [];
  let [count, open] = [0, 0];
  for (const cell of cube.cells) {
    const fits = judge(cell.of);
    if (fits === null) {
      maybe.push(cell);
      open += cell.count;
    } else if (fits) {
      cells.push(cell);
      count += cell.count;
    }
  }
  return { cells, maybe, count, open };
}
