/** How many match: exactly where indexes and counts allow, else as far as a budget goes, and then it says so. */
import type { BrokerContext } from '../context';
import { askPlaces, type Place } from '../sharded/places';
import { compile, type Plan, type Question } from './compile';
import { cubeOf } from './cube';
import { judgedBy } from './cube-judge';
import { openWalk } from './scan';

export interface Count {
  readonly count: number;
  /** False: at least so many. */
  readonly exact: boolean;
}
export interface CountInput extends Question {
  /** Entries it may look at in all places together. */
  readonly budget: number;
  /** What was counted within the last second will do. */
  readonly recent?: boolean;
  readonly signal?: AbortSignal;
}

/** Asked at a time: a count must not take Redis for itself because there are many places. */
const PLACES_AT_ONCE = 4;
const LEAST_BUDGET = 250;

/** @throws when no place can be read; one of several that cannot makes the count a lower bound */
export async function countMatches(
  ctx: BrokerContext,
  places: readonly Place[],
  input: CountInput,
): Promise<Count> {
  const share = Math.max(LEAST_BUDGET, Math.floor(input.budget / Math.max(1, places.length)));
  const { found, missing } = await askPlaces(places, PLACES_AT_ONCE, (place) =>
    countPlace(ctx, place, { ...input, budget: share }),
  );
  return {
    count: found.reduce((sum, { value }) => sum + value.count, 0),
    exact: missing.length === 0 && found.every(({ value }) => value.exact),
  };
}

export async function countPlace(ctx: BrokerContext, place: Place, input: CountInput): Promise<Count> {
  const plan = compile(input, place.queue);
  if (plan.nothing) return { count: 0, exact: true };
  if (plan.program === null) return { count: await sizeOf(ctx, place, input), exact: true };
  const byCube = input.state === 'dead' ? await countByCube(ctx, place, input, plan) : null;
  if (byCube?.exact) return byCube;
  const walked = await walkAll(ctx, place, input);
  return walked.exact || !byCube || walked.count >= byCube.count ? walked : byCube;
}

/** How many entries there are to look at, by ranks: what matches, where the range says it all. */
export async function sizeOf(ctx: BrokerContext, place: Place, question: Question): Promise<number> {
  const walk = openWalk(ctx, place, question, 'newest', null);
  if (!walk.done) await walk.next(1, 0);
  return walk.of ?? 0;
}

async function walkAll(ctx: BrokerContext, place: Place, input: CountInput): Promise<Count> {
  const walk = openWalk(ctx, place, input, 'newest', null);
  while (!walk.done && walk.scanned < input.budget && !input.signal?.aborted)
    await walk.next(input.budget - walk.scanned, 0);
  return { count: walk.matched, exact: walk.done };
}

/** A count that must fit a range of time is taken again when jobs came or went meanwhile. */
const TRIES = 3;

/**
 * The counts are of all that is dead. Where a range of time is asked for, what lies outside of it is looked at and taken off,
 * if that is little: at a confirmation it is what died since the preview.
 */
async function countByCube(
  ctx: BrokerContext,
  place: Place,
  input: CountInput,
  plan: Plan,
): Promise<Count | null> {
  const bounded = plan.low !== '-inf' || plan.high !== '+inf';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const cube = await cubeOf(ctx, place.name, !input.recent);
    if (!cube) return null;
    const { count, open } = judgedBy(cube, plan.timeless, place.queue);
    if (!bounded) return { count, exact: open === 0 };
    if (open > 0) return null;
    const outside = await countOutside(ctx, place, input, plan, cube.at);
    if (outside === null) return null;
    if (cube.whole) return { count: Math.max(0, count - outside), exact: true };
  }
  return null;
}

/** What matched when the cube was read, but for the range. Null: too many to look at. */
async function countOutside(
  ctx: BrokerContext,
  place: Place,
  input: CountInput,
  { low, high, timeless }: Plan,
  cubeAt: number,
): Promise<number | null> {
  const parts: Pick<Question, 'since' | 'cutoff'>[] = [];
  if (low !== '-inf') parts.push({ cutoff: Number(low) - 1, since: undefined });
  if (high !== '+inf' && Number(high) < cubeAt) parts.push({ cutoff: cubeAt, since: Number(high) + 1 });
  let outside = 0;
  for (const part of parts) {
    const asked = { ...input, ...part, filter: timeless };
    if ((await sizeOf(ctx, place, { ...asked, filter: { kind: 'all' } })) > input.budget) return null;
    const counted = await walkAll(ctx, place, asked);
    if (!counted.exact) return null;
    outside += counted.count;
  }
  return outside;
}
