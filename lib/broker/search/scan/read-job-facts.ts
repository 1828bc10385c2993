/** The facts of found jobs, read from everything that is stored of them. */

import { readRedaction } from '@/lib/broker/queues/settings/queue-redaction';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { queryShardsOf, type ShardRef } from '@/lib/broker/shards/shard-ref';
import { type AccessScope, scopeHasJob } from '@/lib/contract/access/grant-scopes';
import type { JobState } from '@/lib/contract/jobs/job-states';
import type { JobFacts } from '@/lib/contract/search/query';
import { jobFactsOf, readStoredJobs } from './job-facts';
import type { FoundJob } from './merge-shards';

/** A reply may hold large payloads. */
const SHARDS_AT_ONCE = 2;

/** Jobs that are gone or unreadable are left out. @param payloads also read payloads, redacted */
export async function readJobFacts(
  ctx: BrokerContext,
  state: JobState,
  entries: readonly FoundJob[],
  { payloads = false, within }: { payloads?: boolean; within?: AccessScope | undefined } = {},
): Promise<{ shard: ShardRef; facts: JobFacts }[]> {
  const { answered } = await queryShardsOf(entries, SHARDS_AT_ONCE, async (shard, here) => {
    const redaction = payloads ? await readRedaction(ctx, shard.queue, shard.name) : null;
    const stored = await readStoredJobs(
      ctx,
      shard.name,
      here.map((entry) => entry.jobId),
    );
    return here.flatMap((entry, i) => {
      const job = stored[i];
      if (!job || job.row.length === 0) return [];
      const facts = jobFactsOf(shard.queue, state, entry, job, redaction);
      // Another job may have taken its id since it was found.
      return within && !scopeHasJob(within, shard.queue, facts.tenant) ? [] : [{ shard, facts }];
    });
  });
  return answered.flatMap(({ value }) => value);
}
