/** What the shards know of failure groups besides how many there are: since when, how often an hour, and the newest of each. */
import { GROUP_TREND_HOURS } from '@/lib/contract/dead';
import { hasQueue, type Within } from '@/lib/contract/permissions';
import type { Redaction } from '@/lib/contract/redaction';
import type { BrokerContext } from '../context';
import { parseHistoryLine } from '../inspect/state-row';
import { redactionIn, shownTexts } from '../redaction';
import { list, text } from '../reply';
import { decodeRow } from '../row';
import { askPlaces, type Place } from '../sharded/places';
import { detailsInside } from './group-inside';

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
/** Of rows of jobs: what of a message may be shown depends on the payload. */
const BYTES_PER_CALL = 256 * 1024;
const FIELDS = 5;
const PLACES_AT_ONCE = 8;
const HOUR_MS = 3_600_000;

/**
 * @param wanted the groups to ask each place for
 * @param within of queues of which only some tenants lie within, only what they have is told
 */
export async function groupDetails(
  ctx: BrokerContext,
  wanted: ReadonlyMap<Place, readonly string[]>,
  now: number,
  within?: Within,
): Promise<Details> {
  const parts = [...wanted].flatMap(([place, groups]) =>
    Array.from({ length: Math.ceil(groups.length / GROUPS_PER_CALL) }, (_, i) => ({
      ...place,
      groups: groups.slice(i * GROUPS_PER_CALL, (i + 1) * GROUPS_PER_CALL),
    })),
  );
  const { found, missing } = await askPlaces(parts, PLACES_AT_ONCE, (part) =>
    within === undefined || hasQueue(within, part.queue)
      ? detailsOfAll(ctx, part, part.groups, now)
      : detailsInside(ctx, part, part.groups, within, now),
  );
  const of = new Map<string, GroupDetails>();
  for (const { place, value } of found)
    place.groups.forEach((group, i) => {
      const part = value[i];
      const known = of.get(group);
      if (part) of.set(group, known ? together(known, part) : part);
    });
  return { of, missing: missing.map(({ place }) => place) };
}

async function detailsOfAll(
  ctx: BrokerContext,
  { queue, name }: Place,
  groups: readonly string[],
  now: number,
): Promise<(GroupDetails | null)[]> {
  const redaction = await redactionIn(ctx, queue, name);
  const details: (GroupDetails | null)[] = [];
  while (details.length < groups.length) {
    const some = groups.slice(details.length);
    const reply = list(
      await ctx.runBuffer('search-groups', name, [BYTES_PER_CALL, ...some]),
      'search-groups',
    );
    if (reply.length < FIELDS) throw new Error('search-groups: no reply for the first group');
    for (let i = 0; i + FIELDS <= reply.length; i += FIELDS)
      details.push(detailsIn(queue, reply.slice(i, i + FIELDS), redaction, now));
  }
  return details;
}

const ROW = /^(\d+) (\d+) \d+ (\d+):([\d,]+)$/;

function detailsIn(
  queue: string,
  reply: readonly unknown[],
  redaction: Redaction,
  now: number,
): GroupDetails | null {
  const [row = '', jobId = '', diedAt = '', line = ''] = reply.map(text);
  const job = reply[FIELDS - 1];
  const payload = Buffer.isBuffer(job) && job.length > 0 ? decodeRow(jobId, job).payload : null;
  const [, first, last, hour, counts] = ROW.exec(row) ?? [];
  if (first === undefined && jobId === '') return null;
  const said = parseHistoryLine(line);
  return {
    firstSeen: Number(first ?? diedAt),
    lastSeen: Number(last ?? diedAt),
    trend: trendNow(Number(hour ?? 0), counts?.split(',').map(Number) ?? [], now),
    sample: jobId === '' ? null : { queue, jobId, diedAt: Number(diedAt) },
    message: shownTexts(payload, redaction).text(said?.message ?? said?.reason ?? null),
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
