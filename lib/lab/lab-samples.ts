/** Measurements of the lab's queues, which its chart and the scores of drills are made of. */

import { type Actor, actorJson } from '@/lib/broker/access/actor';
import { snapshotQueues } from '@/lib/broker/queues/snapshot-queues';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { parseJsonRow } from '@/lib/broker/redis/parse-json';
import { serverNow } from '@/lib/broker/redis/server-info';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { type LabSample, type LabState, labSampleSchema } from '@/lib/contract/lab/lab-schemas';
import { LAB_QUEUES, LAB_SAMPLES_MAX } from '@/lib/contract/lab/lab-settings';

const QUEUES = Object.keys(LAB_QUEUES);

export async function measureLab(ctx: ShardedContext): Promise<LabSample> {
  const [readings, crashes, now] = await Promise.all([
    snapshotQueues(ctx, QUEUES),
    ctx.plain((redis) => redis.hget(ctx.keys.global('labSession'), 'crashes')),
    serverNow(ctx),
  ]);
  const sum = (value: (reading: (typeof readings)[number]) => number) =>
    readings.reduce((total, reading) => total + value(reading), 0);
  return {
    at: now,
    ready: sum(({ counts }) => counts.ready),
    inFlight: sum(({ counts }) => counts['in-flight']),
    scheduled: sum(({ counts }) => counts.scheduled),
    retry: sum(({ counts }) => counts.retry),
    held: sum(({ counts }) => counts.held),
    deadLetters: sum(({ counts }) => counts.dead),
    oldestReadyMs: Math.max(0, ...readings.map(({ oldestReadyAgeMs }) => oldestReadyAgeMs ?? 0)),
    completed: sum(({ totals }) => totals.completed),
    failed: sum(({ totals }) => totals.failed),
    reclaimed: sum(({ totals }) => totals.reclaimed),
    died: sum(({ totals }) => totals.dead),
    crashes: Number(crashes ?? 0),
    lost: sum(({ ledger }) => Math.max(0, ledger.difference)),
  };
}

/** Keeps a measurement for the chart. */
export async function storeLabSample(ctx: BrokerContext, sample: LabSample): Promise<void> {
  const key = ctx.keys.global('labSamples');
  // Two plain calls: a pipeline would swallow a refusal.
  await ctx.plain((redis) => redis.rpush(key, JSON.stringify(sample)));
  await ctx.plain((redis) => redis.ltrim(key, -LAB_SAMPLES_MAX, -1));
}

/** Oldest first. */
export async function readLabSamples(ctx: BrokerContext, after = 0): Promise<LabSample[]> {
  const rows = await ctx.plain((redis) =>
    redis.lrange(ctx.keys.global('labSamples'), 0, LAB_SAMPLES_MAX - 1),
  );
  return rows.flatMap((row) => parseJsonRow(labSampleSchema, row) ?? []).filter(({ at }) => at > after);
}

export async function readLabSession(ctx: BrokerContext): Promise<LabState['session']> {
  const fields = await ctx.plain((redis) => redis.hgetall(ctx.keys.global('labSession')));
  const number = (field: string) => Number(fields[field] ?? 0) || 0;
  return {
    since: number('since') || null,
    crashes: Math.max(0, number('crashes') - number('crashesBefore')),
    reclaimedBefore: number('reclaimedBefore'),
  };
}

/** Counts crashes and reclaimed jobs from now on. */
export async function resetLabSession(ctx: ShardedContext, by?: Actor): Promise<void> {
  const { reclaimed } = await measureLab(ctx);
  await ctx.run('lab-session', null, [reclaimed, by ? actorJson(by) : '']);
}
