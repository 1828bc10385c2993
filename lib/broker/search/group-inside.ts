/**
 * The same of failure groups as group-details.ts, for who may see only some tenants of a queue: what a shard keeps of a group is of
 * all tenants together, so it is worked out from the dead letters that lie within.
 */
import { GROUP_TREND_HOURS } from '@/lib/contract/dead';
import { hasJob, type Within } from '@/lib/contract/permissions';
import { narrowedTo } from '@/lib/contract/query';
import type { BrokerContext } from '../context';
import { summaries } from '../inspect/summaries';
import type { Place } from '../sharded/places';
import type { Question } from './compile';
import type { GroupDetails } from './group-details';
import { type Hit, scanPlace } from './scan';

/** The trend is of so many of the newest in each group. */
const NEWEST_MAX = 250;
/** Looked at, to find these. */
const SCAN_MAX = 5_000;
const HOUR_MS = 3_600_000;

/** In the order of the groups; null: nothing of it lies within. */
export async function detailsInside(
  ctx: BrokerContext,
  place: Place,
  groups: readonly string[],
  within: Within,
  now: number,
): Promise<(GroupDetails | null)[]> {
  const seen: (Seen | null)[] = [];
  for (const group of groups) seen.push(await seenOf(ctx, place, group, within, now));
  const messages = await messagesOf(ctx, place, within, seen);
  return seen.map((one) => one && detailsOf(place, one, messages.get(one.newest.jobId) ?? null, now));
}

interface Seen {
  readonly newest: Hit;
  readonly firstSeen: number;
  /** When the newest died, newest first. */
  readonly times: readonly number[];
}

async function seenOf(
  ctx: BrokerContext,
  place: Place,
  group: string,
  within: Within,
  now: number,
): Promise<Seen | null> {
  const question: Question = {
    state: 'dead',
    filter: narrowedTo({ kind: 'name', field: 'group', value: group, prefix: false }, within),
    at: now,
    cutoff: null,
  };
  const walk = { ...question, cursor: '', maxScan: SCAN_MAX };
  const { hits, done } = await scanPlace(ctx, place, { ...walk, order: 'newest', maxHits: NEWEST_MAX });
  const [newest] = hits;
  const last = hits.at(-1);
  if (!newest || !last) return null;
  const oldest = done
    ? last
    : (await scanPlace(ctx, place, { ...walk, order: 'oldest', maxHits: 1 })).hits[0];
  return { newest, firstSeen: (oldest ?? last).score, times: hits.map(({ score }) => score) };
}

/** What was said of the newest of each, by id. Another job may have taken the id meanwhile. */
async function messagesOf(
  ctx: BrokerContext,
  place: Place,
  within: Within,
  seen: readonly (Seen | null)[],
): Promise<Map<string, string | null>> {
  const newest = seen.flatMap((one) => (one ? [one.newest] : []));
  const rows = await summaries(ctx, place.name, 'dead', newest);
  return new Map(
    rows.flatMap(({ jobId, tenantId, message }) =>
      hasJob(within, place.queue, tenantId) ? [[jobId, message] as const] : [],
    ),
  );
}

const detailsOf = (
  { queue }: Place,
  { newest, firstSeen, times }: Seen,
  message: string | null,
  now: number,
): GroupDetails => ({
  firstSeen,
  lastSeen: newest.score,
  trend: trendOf(times, now),
  sample: { queue, jobId: newest.jobId, diedAt: newest.score },
  message,
});

function trendOf(times: readonly number[], now: number): number[] {
  const trend = Array.from({ length: GROUP_TREND_HOURS }, () => 0);
  const hour = Math.floor(now / HOUR_MS);
  for (const time of times) {
    // One that died by a clock ahead of ours counts in the latest hour there is.
    const ago = Math.max(0, hour - Math.floor(time / HOUR_MS));
    const at = GROUP_TREND_HOURS - 1 - ago;
    if (at >= 0) trend[at] = (trend[at] ?? 0) + 1;
  }
  return trend;
}
