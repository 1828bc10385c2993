/**
 * What became of the jobs an operation put back. Those that ended are counted in their place by the scripts that ended them
 * (lua/include/driven.lua); of the rest, those in flight are looked up, and the others wait.
 */
import type { Outcome } from '@/lib/contract/operations';
import type { BrokerContext } from '../context';
import { askPlaces, type Place } from '../sharded/places';

/** Asked at a time. */
const PLACES_AT_ONCE = 8;
/** In flight and looked at in a place. Of more than this many the rest count as waiting. */
const IN_FLIGHT_MAX = 500;
const GROUPS_MAX = 20;

interface Counted {
  readonly ended: readonly [completed: number, diedAgain: number, recalled: number, deleted: number];
  readonly groups: ReadonlyMap<string, number>;
  readonly running: number;
}

/** @throws when a place does not answer: a part of the truth would look like all of it */
export async function outcomeOf(
  ctx: BrokerContext,
  places: readonly Place[],
  id: string,
  moved: number,
): Promise<Outcome> {
  const { found, missing } = await askPlaces(places, PLACES_AT_ONCE, ({ name }) => countIn(ctx, name, id));
  if (missing[0]) throw missing[0].error;
  let [completed, diedAgain, recalled, deleted, running] = [0, 0, 0, 0, 0];
  const groups = new Map<string, number>();
  for (const { value } of found) {
    completed += value.ended[0];
    diedAgain += value.ended[1];
    recalled += value.ended[2];
    deleted += value.ended[3];
    running += value.running;
    for (const [group, count] of value.groups) groups.set(group, (groups.get(group) ?? 0) + count);
  }
  // Both change while they are read: what ran when it was looked at may have ended when it was counted.
  const left = Math.max(0, moved - completed - diedAgain - recalled - deleted);
  running = Math.min(running, left);
  return {
    completed,
    diedAgain,
    recalled,
    deleted,
    running,
    waiting: left - running,
    groups: [...groups]
      .map(([group, count]) => ({ group, count }))
      .sort((a, b) => b.count - a.count || (a.group < b.group ? -1 : 1))
      .slice(0, GROUPS_MAX),
  };
}

async function countIn(ctx: BrokerContext, name: string, id: string): Promise<Counted> {
  const [row, inFlight] = await ctx.plain((redis) =>
    Promise.all([
      redis.hget(ctx.keys.column(name, 'operations'), `${id} outcome`),
      redis.zrange(ctx.keys.column(name, 'inflight'), '0', String(IN_FLIGHT_MAX - 1)),
    ]),
  );
  const driven =
    inFlight.length > 0
      ? await ctx.plain((redis) => redis.hmget(ctx.keys.column(name, 'driven'), ...inFlight))
      : [];
  const running = driven.filter((by) => by?.split(' ', 1)[0] === id).length;
  const [completed = '0', diedAgain = '0', recalled = '0', deleted = '0', ...groups] = row?.split(' ') ?? [];
  return {
    ended: [Number(completed), Number(diedAgain), Number(recalled), Number(deleted)],
    groups: new Map(groups.map((part) => [part.split('=')[0] ?? '', Number(part.split('=')[1])])),
    running,
  };
}
