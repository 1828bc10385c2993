/** What shards store of failure groups besides counts: first and last death, deaths an hour, and the newest job. */

import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import { queryShards, type ShardRef } from '@/lib/broker/shards/shard-ref';
import { type AccessScope, scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import { GROUP_TREND_HOURS } from '@/lib/contract/search/search-limits';
import type { GroupCounts } from './group-counts';
import { readSampleMessages } from './sample-messages';
import { readTenantGroupDetails } from './tenant-group-details';

export type GroupDetails = GroupCounts & { readonly message: string | null };

export interface GroupDetailsResult {
  readonly byGroup: ReadonlyMap<string, GroupDetails>;
  readonly missing: readonly ShardRef[];
}

const GROUPS_PER_CALL = 50;
const FIELDS = 4;
const SHARDS_AT_ONCE = 8;
const HOUR_MS = 3_600_000;

/** @param wanted the groups to read of each shard @param within limits a queue to the jobs of some tenants */
export async function readGroupDetails(
  ctx: BrokerContext,
  wanted: ReadonlyMap<ShardRef, readonly string[]>,
  now: number,
  within?: AccessScope,
): Promise<GroupDetailsResult> {
  const parts = [...wanted].flatMap(([shard, groups]) =>
    Array.from({ length: Math.ceil(groups.length / GROUPS_PER_CALL) }, (_, i) => ({
      ...shard,
      groups: groups.slice(i * GROUPS_PER_CALL, (i + 1) * GROUPS_PER_CALL),
    })),
  );
  const { answered, failed } = await queryShards(parts, SHARDS_AT_ONCE, (part) =>
    within === undefined || scopeHasQueue(within, part.queue)
      ? detailsOfAll(ctx, part, part.groups, now)
      : readTenantGroupDetails(ctx, part, part.groups, within, now),
  );
  const counted = new Map<string, GroupCounts>();
  for (const { shard, value } of answered)
    shard.groups.forEach((group, i) => {
      const part = value[i];
      const other = counted.get(group);
      if (part) counted.set(group, other ? combined(other, part) : part);
    });
  const messages = await readSampleMessages(ctx, counted, within);
  const byGroup = new Map<string, GroupDetails>();
  for (const [group, counts] of counted)
    byGroup.set(group, { ...counts, message: messages.byGroup.get(group) ?? null });
  return { byGroup, missing: [...failed.map(({ shard }) => shard), ...messages.missing] };
}

async function detailsOfAll(
  ctx: BrokerContext,
  shard: ShardRef,
  groups: readonly string[],
  now: number,
): Promise<(GroupCounts | null)[]> {
  const reply = replyList(await ctx.run('search-groups', shard.name, [...groups]), 'search-groups');
  return groups.map((_, i) => detailsIn(shard, reply.slice(i * FIELDS, (i + 1) * FIELDS), now));
}

const ROW = /^(\d+) (\d+) \d+ (\d+):([\d,]+)$/;

function detailsIn(shard: ShardRef, reply: readonly unknown[], now: number): GroupCounts | null {
  const [row = '', jobId = '', diedAt = '', lastHour = ''] = reply.map(replyText);
  const [, first, last, hour, counts] = ROW.exec(row) ?? [];
  if (first === undefined && jobId === '') return null;
  return {
    firstSeen: Number(first ?? diedAt),
    lastSeen: Number(last ?? diedAt),
    trend: trendNow(Number(hour ?? 0), counts?.split(',').map(Number) ?? [], now),
    lastHour: lastHour === '' ? null : lastHour.split(',').map(Number),
    sample: jobId === '' ? null : { shard, jobId, diedAt: Number(diedAt) },
  };
}

/** The row's hours end with that of its last death, the trend with the current one. */
function trendNow(hour: number, counts: readonly number[], now: number): number[] {
  const shift = Math.max(0, Math.floor(now / HOUR_MS) - hour);
  return Array.from({ length: GROUP_TREND_HOURS }, (_, i) => counts[i + shift] ?? 0);
}

function combined(a: GroupCounts, b: GroupCounts): GroupCounts {
  return {
    firstSeen: Math.min(a.firstSeen, b.firstSeen),
    lastSeen: Math.max(a.lastSeen, b.lastSeen),
    trend: sumOf(a.trend, b.trend),
    lastHour: a.lastHour && b.lastHour ? sumOf(a.lastHour, b.lastHour) : (a.lastHour ?? b.lastHour),
    sample: (b.sample?.diedAt ?? -1) > (a.sample?.diedAt ?? -1) ? b.sample : a.sample,
  };
}

const sumOf = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((count, i) => count + (b[i] ?? 0));
