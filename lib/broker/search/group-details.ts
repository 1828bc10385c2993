/** What the shards know of failure groups besides how many there are: since when, how often an hour, and the newest of each. */
import { GROUP_TREND_HOURS } from '@/lib/contract/dead';
import type { BrokerContext } from '../context';
import { parseHistoryLine } from '../inspect/state-row';
import { list, text } from '../reply';
import { askPlaces, type Place } from '../sharded/places';

export interface GroupDetails {
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly trend: number[];
  readonly sample: { readonly queue: string; readonly jobId: string; readonly diedAt: number } | null;
  readonly message: string | null;
}
export interface Details {
  readonly of: ReadonlyMap<string, GroupDetails>;
  readonly missing: readonly Place[];
}

const GROUPS_PER_CALL = 25;
const FIELDS = 4;
const PLACES_AT_ONCE = 8;
const HOUR_MS = 3_600_000;

/** @param wanted the groups to ask each place for */
export async function groupDetails(
  ctx: BrokerContext,
  wanted: ReadonlyMap<Place, readonly string[]>,
  now: number,
): Promise<Details> {
  const parts = [...wanted].flatMap(([place, groups]) =>
    Array.from({ length: Math.ceil(groups.length / GROUPS_PER_CALL) }, (_, i) => ({
      ...place,
      groups: groups.slice(i * GROUPS_PER_CALL, (i + 1) * GROUPS_PER_CALL),
    })),
  );
  const { found, missing } = await askPlaces(parts, PLACES_AT_ONCE, async ({ groups, name }) => {
    return {
      groups,
      reply: list(await ctx.run('search-groups', name, [...groups]), 'search-groups').map(text),
    };
  });
  const of = new Map<string, GroupDetails>();
  for (const { place, value } of found)
    value.groups.forEach((group, i) => {
      const part = detailsIn(place.queue, value.reply.slice(i * FIELDS, (i + 1) * FIELDS), now);
      const known = of.get(group);
      if (part) of.set(group, known ? together(known, part) : part);
    });
  return { of, missing: missing.map(({ place }) => place) };
}

const ROW = /^(\d+) (\d+) \d+ (\d+):([\d,]+)$/;

function detailsIn(queue: string, reply: readonly string[], now: number): GroupDetails | null {
  const [row = '', jobId = '', diedAt = '', line = ''] = reply;
  const [, first, last, hour, counts] = ROW.exec(row) ?? [];
  if (first === undefined && jobId === '') return null;
  const said = parseHistoryLine(line);
  return {
    firstSeen: Number(first ?? diedAt),
    lastSeen: Number(last ?? diedAt),
    trend: trendNow(Number(hour ?? 0), counts?.split(',').map(Number) ?? [], now),
    sample: jobId === '' ? null : { queue, jobId, diedAt: Number(diedAt) },
    message: said?.message ?? said?.reason ?? null,
  };
}

/** The row's hours end with that of its last death, and the trend with ours. */
function trendNow(hour: number, counts: readonly number[], now: number): number[] {
  const ahead = Math.max(0, Math.floor(now / HOUR_MS) - hour);
  return Array.from({ length: GROUP_TREND_HOURS }, (_, i) => counts[i + ahead] ?? 0);
}

function together(a: GroupDetails, b: GroupDetails): GroupDetails {
  const newer = (b.sample?.diedAt ?? -1) > (a.sample?.diedAt ?? -1) ? b : a;
  return {
    firstSeen: Math.min(a.firstSeen, b.firstSeen),
    lastSeen: Math.max(a.lastSeen, b.lastSeen),
    trend: a.trend.map((count, i) => count + (b.trend[i] ?? 0)),
    sample: newer.sample,
    message: newer.message,
  };
}
