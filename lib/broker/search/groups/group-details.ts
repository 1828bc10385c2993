/** What shards store of failure groups besides counts: first and last death, deaths an hour, and the newest job. */

import { decodeRow } from '@/lib/broker/jobs/job-row';
import { parseHistoryLine } from '@/lib/broker/jobs/read/stored-rows';
import { readRedaction, textRedactor } from '@/lib/broker/queues/settings/queue-redaction';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import { queryShards, type ShardRef } from '@/lib/broker/shards/shard-ref';
import { type AccessScope, scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import type { Redaction } from '@/lib/contract/redaction';
import { GROUP_TREND_HOURS } from '@/lib/contract/search/search-limits';
import { type GroupDetails, readTenantGroupDetails } from './tenant-group-details';

export interface GroupDetailsResult {
  readonly byGroup: ReadonlyMap<string, GroupDetails>;
  readonly missing: readonly ShardRef[];
}

const GROUPS_PER_CALL = 25;
/** Of job rows: which parts of a message are hidden depends on the payload. */
const BYTES_PER_CALL = 256 * 1024;
const FIELDS = 6;
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
  const byGroup = new Map<string, GroupDetails>();
  for (const { shard, value } of answered)
    shard.groups.forEach((group, i) => {
      const part = value[i];
      const other = byGroup.get(group);
      if (part) byGroup.set(group, other ? combined(other, part) : part);
    });
  return { byGroup, missing: failed.map(({ shard }) => shard) };
}

async function detailsOfAll(
  ctx: BrokerContext,
  { queue, name }: ShardRef,
  groups: readonly string[],
  now: number,
): Promise<(GroupDetails | null)[]> {
  const redaction = await readRedaction(ctx, queue, name);
  const details: (GroupDetails | null)[] = [];
  while (details.length < groups.length) {
    const left = groups.slice(details.length);
    const reply = replyList(
      await ctx.runBuffer('search-groups', name, [BYTES_PER_CALL, ...left]),
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
  const [row = '', jobId = '', diedAt = '', line = '', lastHour = ''] = reply.map(replyText);
  const job = reply[FIELDS - 1];
  const payload = Buffer.isBuffer(job) && job.length > 0 ? decodeRow(jobId, job).payload : null;
  const [, first, last, hour, counts] = ROW.exec(row) ?? [];
  if (first === undefined && jobId === '') return null;
  const entry = parseHistoryLine(line);
  return {
    firstSeen: Number(first ?? diedAt),
    lastSeen: Number(last ?? diedAt),
    trend: trendNow(Number(hour ?? 0), counts?.split(',').map(Number) ?? [], now),
    lastHour: lastHour === '' ? null : lastHour.split(',').map(Number),
    sample: jobId === '' ? null : { queue, jobId, diedAt: Number(diedAt) },
    message: textRedactor(payload, redaction).text(entry?.message ?? entry?.reason ?? null),
  };
}

/** The row's hours end with that of its last death, the trend with the current one. */
function trendNow(hour: number, counts: readonly number[], now: number): number[] {
  const shift = Math.max(0, Math.floor(now / HOUR_MS) - hour);
  return Array.from({ length: GROUP_TREND_HOURS }, (_, i) => counts[i + shift] ?? 0);
}

function combined(a: GroupDetails, b: GroupDetails): GroupDetails {
  const newer = (b.sample?.diedAt ?? -1) > (a.sample?.diedAt ?? -1) ? b : a;
  return {
    firstSeen: Math.min(a.firstSeen, b.firstSeen),
    lastSeen: Math.max(a.lastSeen, b.lastSeen),
    trend: sumOf(a.trend, b.trend),
    lastHour: a.lastHour && b.lastHour ? sumOf(a.lastHour, b.lastHour) : (a.lastHour ?? b.lastHour),
    sample: newer.sample,
    message: newer.message,
  };
}

const sumOf = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((count, i) => count + (b[i] ?? 0));
