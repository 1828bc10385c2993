/** Details of failure groups for some tenants of a queue. A shard stores them for all tenants, so they are counted from dead letters. */

import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import { filterInScope } from '@/lib/contract/search/query';
import { GROUP_TREND_HOURS, LAST_HOUR_STEP_MS, LAST_HOUR_STEPS } from '@/lib/contract/search/search-limits';
import type { JobQuery } from '../plan/compile-query';
import { scanShard } from '../scan/scan-shard';
import type { ScanHit } from '../scan/scan-step';
import type { GroupCounts } from './group-counts';

/** The trend counts so many of the newest of each group. */
const NEWEST_MAX = 250;
/** Entries scanned to find them. */
const SCAN_MAX = 5_000;
const HOUR_MS = 3_600_000;

/** In the order of the groups; null: none of it is in scope. */
export async function readTenantGroupDetails(
  ctx: BrokerContext,
  shard: ShardRef,
  groups: readonly string[],
  within: AccessScope,
  now: number,
): Promise<(GroupCounts | null)[]> {
  const found: (FoundDeaths | null)[] = [];
  for (const group of groups) found.push(await findDeaths(ctx, shard, group, within, now));
  return found.map((deaths) => deaths && detailsOf(shard, deaths, now));
}

interface FoundDeaths {
  readonly newest: ScanHit;
  readonly firstSeen: number;
  /** When the newest died, newest first. */
  readonly times: readonly number[];
}

async function findDeaths(
  ctx: BrokerContext,
  shard: ShardRef,
  group: string,
  within: AccessScope,
  now: number,
): Promise<FoundDeaths | null> {
  const query: JobQuery = {
    state: 'dead',
    filter: filterInScope({ kind: 'name', field: 'group', value: group, prefix: false }, within),
    at: now,
    cutoff: null,
  };
  const range = { ...query, cursor: '', maxScan: SCAN_MAX };
  const { hits, done } = await scanShard(ctx, shard, { ...range, order: 'newest', maxHits: NEWEST_MAX });
  const [newest] = hits;
  const last = hits.at(-1);
  if (!newest || !last) return null;
  const oldest = done
    ? last
    : (await scanShard(ctx, shard, { ...range, order: 'oldest', maxHits: 1 })).hits[0];
  return { newest, firstSeen: (oldest ?? last).score, times: hits.map(({ score }) => score) };
}

const detailsOf = (shard: ShardRef, { newest, firstSeen, times }: FoundDeaths, now: number): GroupCounts => ({
  firstSeen,
  lastSeen: newest.score,
  trend: trendOf(times, now),
  lastHour: lastHourOf(times, now),
  sample: { shard, jobId: newest.jobId, diedAt: newest.score },
});

function trendOf(times: readonly number[], now: number): number[] {
  const trend = Array.from({ length: GROUP_TREND_HOURS }, () => 0);
  const hour = Math.floor(now / HOUR_MS);
  for (const time of times) {
    // A death by a clock ahead of this one counts in the latest hour.
    const ago = Math.max(0, hour - Math.floor(time / HOUR_MS));
    const at = GROUP_TREND_HOURS - 1 - ago;
    if (at >= 0) trend[at] = (trend[at] ?? 0) + 1;
  }
  return trend;
}

function lastHourOf(times: readonly number[], now: number): number[] | null {
  const counts = Array.from({ length: LAST_HOUR_STEPS }, () => 0);
  for (const time of times) {
    const back = Math.max(0, Math.ceil((now - time) / LAST_HOUR_STEP_MS) - 1);
    const at = LAST_HOUR_STEPS - 1 - back;
    if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.some((count) => count > 0) ? counts : null;
}
