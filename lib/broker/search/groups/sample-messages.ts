/** What the newest dead letter of each failure group says. Hundreds of shards may know a group: only the row of its newest job is read. */

import { readJobSummaries } from '@/lib/broker/jobs/read/job-summaries';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { queryShardsOf, type ShardRef } from '@/lib/broker/shards/shard-ref';
import { type AccessScope, scopeHasJob } from '@/lib/contract/access/grant-scopes';
import type { GroupCounts } from './group-counts';

const SHARDS_AT_ONCE = 8;

export interface SampleMessages {
  readonly byGroup: ReadonlyMap<string, string | null>;
  readonly missing: readonly ShardRef[];
}

/** @param within another job may have taken an id meanwhile: what it says is shown only where it is in scope */
export async function readSampleMessages(
  ctx: BrokerContext,
  groups: ReadonlyMap<string, GroupCounts>,
  within?: AccessScope,
): Promise<SampleMessages> {
  const samples = [...groups].flatMap(([group, { sample }]) => (sample ? [{ group, ...sample }] : []));
  const { answered, failed } = await queryShardsOf(samples, SHARDS_AT_ONCE, async (shard, items) => {
    const entries = items.map(({ jobId, diedAt }) => ({ jobId, score: diedAt }));
    const jobs = await readJobSummaries(ctx, shard.name, 'dead', entries);
    const shown = jobs.filter(({ tenantId }) => !within || scopeHasJob(within, shard.queue, tenantId));
    const messages = new Map(shown.map(({ jobId, message }) => [jobId, message]));
    return items.map(({ group, jobId }) => [group, messages.get(jobId) ?? null] as const);
  });
  return {
    byGroup: new Map(answered.flatMap(({ value }) => value)),
    missing: failed.map(({ shard }) => shard),
  };
}
