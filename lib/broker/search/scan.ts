/** Walks what one place has in one state, in order, and finds what fits. The core of searches and operations alike. */
import { RedriveError } from '@/lib/contract/errors';
import type { Redaction } from '@/lib/contract/redaction';
import { positionSchema } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { redactionIn } from '../redaction';
import type { Place } from '../sharded/places';
import { compile, type Plan, type Question } from './compile';
import { looksInside } from './inside';
import { narrowed } from './narrow';
import type { Source } from './sources';
import { type Hit, type Mark, type Order, step } from './step';

export type { Question } from './compile';
export type { Hit, Mark, Order } from './step';

export interface ScanInput extends Question {
  readonly order: Order;
  /** `<score>|<id>` as a scan gave it out; empty: from the start. */
  readonly cursor: string;
  /** Entries it may look at, and matches it may find, before it stops. */
  readonly maxScan: number;
  readonly maxHits: number;
  readonly signal?: AbortSignal;
}
export interface Scan {
  readonly hits: readonly Hit[];
  /** Everything up to it, in this order, was looked at. */
  readonly cursor: string;
  readonly done: boolean;
  readonly scanned: number;
}

/** @throws RedriveError BAD_CURSOR */
export async function scanPlace(ctx: BrokerContext, place: Place, input: ScanInput): Promise<Scan> {
  const walk = openWalk(ctx, place, input, input.order, parseMark(input.cursor));
  const hits: Hit[] = [];
  while (
    !walk.done &&
    walk.scanned < input.maxScan &&
    hits.length < input.maxHits &&
    !input.signal?.aborted
  ) {
    const before = walk.scanned;
    const found = await walk.next(input.maxScan - before, input.maxHits - hits.length);
    for (const hit of found) hits.push({ ...hit, looked: before + hit.looked });
  }
  return { hits, cursor: markText(walk.mark), done: walk.done, scanned: walk.scanned };
}

export interface Walk {
  readonly place: Place;
  readonly done: boolean;
  readonly mark: Mark | null;
  readonly scanned: number;
  readonly matched: number;
  /** Entries its source holds; null before the first step. */
  readonly of: number | null;
  /** Looks at the next entries, at most `most`, until `want` match (0: only counts them). */
  next(most: number, want: number): Promise<readonly (Hit & { readonly raw: string })[]>;
}

/** Where a first look finds less than was wanted among more than this, it is worth asking where else to look. */
const LARGE = 1_000;
/** So many times what is wanted is looked at first. */
const FIRST_LOOK = 2;
/** What fits costs a script several times what does not: it finds so many at most, or looks at no more when it only counts. */
const FOUND_A_STEP = 250;

/**
 * Entries a step should look at to find `want`: no more than that where all of them fit, and few until it is known how many do.
 */
function worthLooking({ program }: Plan, want: number, first: boolean): number {
  if (want === 0) return FOUND_A_STEP;
  if (program === null) return want;
  return first ? FIRST_LOOK * want : Number.POSITIVE_INFINITY;
}

/**
 * @param narrow whether the cubes may say where to look: they may be a second old, so what moves jobs does without
 */
export function openWalk(
  ctx: BrokerContext,
  place: Place,
  question: Question,
  order: Order,
  from: Mark | null,
  narrow = false,
): Walk {
  const inside = looksInside(question.filter);
  /** What is hidden in its payloads; null: not asked, as nothing is judged by them. */
  let hides: Redaction | null = null;
  let plan = compile(question, place.queue);
  let source: Source | null = null;
  let asked = !narrow || plan.program === null;
  const state = {
    place,
    done: plan.nothing,
    mark: from,
    scanned: 0,
    matched: 0,
    of: plan.nothing ? 0 : (null as number | null),
    async next(most: number, wanted: number) {
      const want = Math.min(wanted, FOUND_A_STEP);
      if (inside && !plan.nothing) {
        const rules = await redactionIn(ctx, place.queue, place.name);
        if (rules !== hides) plan = compile(question, place.queue, rules);
        hides = rules;
      }
      if (source !== null && !asked && (state.of ?? 0) > LARGE) {
        asked = true;
        const better = await narrowed(ctx, place, question, state.of ?? 0);
        if (better) {
          source = better.source;
          state.of = better.size;
          state.done = better.source.length === 0;
          if (state.done) return [];
        }
      }
      const from = state.mark;
      const first = state.scanned === 0;
      const made = await step(ctx, place, question, plan, {
        order,
        from,
        most: Math.min(most, worthLooking(plan, want, first)),
        want,
        source,
        hides,
      });
      source = made.source;
      state.of ??= made.of;
      state.done = made.done;
      state.mark = made.mark;
      state.scanned += made.scanned;
      state.matched += made.matched;
      return made.hits;
    },
  };
  return state;
}

const markText = (mark: Mark | null) => (mark ? `${mark.score}|${mark.jobId}` : '');

function parseMark(cursor: string): Mark | null {
  if (cursor === '') return null;
  const [score, jobId] = cursor.split('|');
  const parsed = positionSchema.safeParse({ score, jobId });
  if (parsed.success) return parsed.data;
  throw new RedriveError('BAD_CURSOR', 'The position is not one that a scan gave out.', {
    fields: [{ field: 'cursor', message: 'must be "<score>|<id>"' }],
  });
}
