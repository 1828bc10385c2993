/** Changes to jobs by id. An id alone does not always name its shard, so all shards are asked at once where the jobs are. */

import { type Actor, SYSTEM } from '@/lib/broker/access/actor';
import { evalMany } from '@/lib/broker/redis/run-pipelines';
import { replyList, replyNumbers, replyText } from '@/lib/broker/redis/script-reply';
import { allAnswers, fanOutItems } from '@/lib/broker/shards/fan-out';
import { type ShardLayout, shardOfId } from '@/lib/broker/shards/shard-layout';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { RedriveError } from '@/lib/contract/redrive-error';
import { checkIds } from '../job-batches';
import { decodeRow } from '../job-row';
import { TRIAGE_VERBS, type TriageOutcome, type TriageVerb, triageInShard } from './triage-verbs';

const LOCATE_MAX_IDS = 500;

export type TenantFilter = (tenant: string) => boolean;

/**
 * Changes jobs by id; outcomes come back in the order of the ids.
 * @param only leaves jobs of other tenants alone. The accepted tenants go into the script, since an id may belong to another by then
 */
export async function triageJobs(
  ctx: ShardedContext,
  verb: TriageVerb,
  queue: string,
  ids: readonly string[],
  by: Actor = SYSTEM,
  only?: TenantFilter,
): Promise<TriageOutcome[]> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  checkIds(ids);
  const found = await findJobs(ctx, layout, ids);
  const { kept, tenants } = only ? await keepTenants(ctx, layout, found, only) : { kept: found, tenants: [] };
  const answers = await fanOutItems(
    layout,
    kept,
    (job) => job.shard,
    (name, jobs) => {
      const named = jobs.map(({ id }) => id);
      return triageInShard(ctx, verb, name, named, by, tenants);
    },
  );
  allAnswers(answers, layout, TRIAGE_VERBS[verb].what);
  const outcomes = new Map<number, TriageOutcome>();
  kept.forEach(({ at }, i) => {
    const outcome = answers.results[i] ?? 'not-found';
    // An id may be in two shards, if its producer gave it to two jobs: a change to one of them counts.
    if (!outcomes.has(at) || outcome === 'ok') outcomes.set(at, outcome);
  });
  return ids.map((_, at) => outcomes.get(at) ?? 'not-found');
}

interface FoundJob {
  readonly id: string;
  readonly at: number;
  readonly shard: number;
}

/** The shards of each id. @throws RedriveError REDIS_UNAVAILABLE when one of the jobs may be in a shard that cannot be read */
async function findJobs(
  ctx: ShardedContext,
  layout: ShardLayout,
  ids: readonly string[],
): Promise<FoundJob[]> {
  if (layout.count === 1) return ids.map((id, at) => ({ id, at, shard: 0 }));
  const { shards, unread } = await locateJobs(ctx, layout, ids);
  const missing = ids.filter((id) => !shards.has(id));
  // "Not found" would say that the job is gone, when it is only out of reach.
  if (unread.length > 0 && missing.length > 0)
    throw new RedriveError(
      'REDIS_UNAVAILABLE',
      `Shard ${unread.map(({ shard }) => shard).join(', ')} of ${layout.queue} cannot be read, and ${missing.length} of the jobs are in none of the others. Nothing was changed; try again when it is back.`,
      { cause: unread[0]?.error },
    );
  return ids.flatMap((id, at) =>
    (shards.get(id) ?? [shardOfId(layout, id)]).map((shard) => ({ id, at, shard })),
  );
}

async function keepTenants(
  ctx: ShardedContext,
  layout: ShardLayout,
  found: readonly FoundJob[],
  only: TenantFilter,
): Promise<{ kept: FoundJob[]; tenants: string[] }> {
  const kept: FoundJob[] = [];
  const tenants = new Set<string>();
  for (const job of found) {
    const tenant = await tenantOfJob(ctx, layout.names[job.shard] ?? layout.queue, job.id);
    if (tenant === null || !only(tenant)) continue;
    kept.push(job);
    tenants.add(tenant);
  }
  return { kept, tenants: [...tenants] };
}

/** Null: no such job there. */
async function tenantOfJob(ctx: ShardedContext, name: string, id: string): Promise<string | null> {
  const reply = replyList(await ctx.runBuffer('job', name, [id]), 'job');
  const row = reply[3];
  if (replyText(reply[1]) === '' || !Buffer.isBuffer(row)) return null;
  return decodeRow(id, row).envelope?.tenantId ?? 'unknown';
}

export interface JobLocations {
  /** Id → the shards that have it: one, unless its producer gave it to two jobs. */
  readonly shards: ReadonlyMap<string, number[]>;
  readonly unread: readonly { shard: number; error: unknown }[];
}

/** One round trip to all shards, whatever the number of ids. */
export async function locateJobs(
  ctx: ShardedContext,
  layout: ShardLayout,
  ids: readonly string[],
): Promise<JobLocations> {
  const shards = new Map<string, number[]>();
  const unread = new Map<number, unknown>();
  for (let from = 0; from < ids.length; from += LOCATE_MAX_IDS) {
    const part = ids.slice(from, from + LOCATE_MAX_IDS);
    const settled = await evalMany(
      ctx,
      layout.names.map((queue) => ({ script: 'jobs-locate', queue, args: [...part] })),
    );
    settled.forEach((one, shard) => {
      if (one.status === 'rejected') unread.set(shard, one.reason);
      else
        replyNumbers(one.value, 'jobs-locate').forEach((here, i) => {
          const id = part[i];
          if (here !== 1 || id === undefined) return;
          const known = shards.get(id);
          if (!known?.includes(shard)) shards.set(id, [...(known ?? []), shard]);
        });
    });
  }
  return { shards, unread: [...unread].map(([shard, error]) => ({ shard, error })) };
}
