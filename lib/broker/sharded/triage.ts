/**
 * What a person does to jobs by id. In a queue sharded by id the id tells the shard, but for jobs that were placed by their
 * uniqueness key or by a schedule; by tenant it tells nothing. Those are looked for in all shards at once, then acted on where
 * they are.
 */
import { RedriveError } from '@/lib/contract/errors';
import { list, numbers, text } from '../reply';
import { decodeRow } from '../row';
import { evalMany } from '../script';
import type { ShardedContext } from '../shards';
import { checkIds } from '../verbs/batch';
import type { TriageOutcome } from '../verbs/triage';
import { allOf, fanOut, grouped } from './fan-out';
import { homeOf, type Layout } from './layout';

const WHERE_MAX_IDS = 500;

/** Whether jobs of a tenant may be acted on. */
export type OfTenants = (tenant: string) => boolean;

/**
 * `act` on one shard; outcomes come back in the order of the ids.
 * @param only leaves jobs of other tenants alone: in a queue sharded by tenant two of them may have given a job the same id. The tenants
 * it let pass go into the script, for an id may be another tenant's by then
 */
export async function onJobs(
  ctx: ShardedContext,
  queue: string,
  ids: readonly string[],
  what: string,
  act: (name: string, ids: readonly string[], tenants?: readonly string[]) => Promise<TriageOutcome[]>,
  only?: OfTenants,
): Promise<TriageOutcome[]> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  checkIds(ids);
  if (layout.count === 1) {
    const here = ids.map((id, at) => ({ id, at, shard: 0 }));
    if (!only) return act(queue, ids);
    const { kept, tenants } = await keptOf(ctx, layout, here, only);
    const outcomes = ids.map((): TriageOutcome => 'not-found');
    if (kept.length === 0) return outcomes;
    const acted = await act(
      queue,
      kept.map(({ id }) => id),
      tenants,
    );
    kept.forEach(({ at }, i) => {
      outcomes[at] = acted[i] ?? 'not-found';
    });
    return outcomes;
  }
  const { places, unread } = await whereabouts(ctx, layout, ids);
  const stray = ids.filter((id) => !places.has(id));
  // Told "not found", a person would take it for gone, when it is only out of reach.
  if (unread.length > 0 && stray.length > 0)
    throw new RedriveError(
      'REDIS_UNAVAILABLE',
      `Shard ${unread.map(({ shard }) => shard).join(', ')} of ${queue} cannot be read, and ${stray.length} of the jobs are in none of the others. Nothing was changed; try again when it is back.`,
      { cause: unread[0]?.error },
    );
  const found = ids.flatMap((id, at) =>
    (places.get(id) ?? [homeOf(layout, id)]).map((shard) => ({ id, at, shard })),
  );
  const { kept, tenants } = only
    ? await keptOf(ctx, layout, found, only)
    : { kept: found, tenants: undefined };
  const parts = grouped(kept, (one) => one.shard);
  const shards = [...parts.keys()].sort((a, b) => a - b);
  const answers = await fanOut(
    layout,
    (name, shard) =>
      act(
        name,
        (parts.get(shard)?.items ?? []).map((one) => one.id),
        tenants,
      ),
    { shards },
  );
  const outcomes: (TriageOutcome | undefined)[] = new Array(ids.length);
  allOf(answers, layout, what).forEach((part, i) => {
    parts.get(shards[i] ?? 0)?.items.forEach(({ at }, n) => {
      outcomes[at] = better(outcomes[at], part[n] ?? 'not-found');
    });
  });
  return outcomes.map((outcome) => outcome ?? 'not-found');
}

async function keptOf<T extends { id: string; shard: number }>(
  ctx: ShardedContext,
  layout: Layout,
  found: readonly T[],
  only: OfTenants,
): Promise<{ kept: T[]; tenants: string[] }> {
  const kept: T[] = [];
  const tenants = new Set<string>();
  for (const one of found) {
    const tenant = await tenantIn(ctx, layout.names[one.shard] ?? layout.queue, one.id);
    if (tenant === null || !only(tenant)) continue;
    kept.push(one);
    tenants.add(tenant);
  }
  return { kept, tenants: [...tenants] };
}

/** Null: no such job there. */
export async function tenantIn(ctx: ShardedContext, name: string, id: string): Promise<string | null> {
  const reply = list(await ctx.runBuffer('job', name, [id]), 'job');
  const row = reply[3];
  if (text(reply[1]) === '' || !Buffer.isBuffer(row)) return null;
  return decodeRow(id, row).envelope?.tenantId ?? 'unknown';
}

/** An id that is in two shards (its producer gave it to two jobs): what was done to one of them counts. */
function better(a: TriageOutcome | undefined, b: TriageOutcome): TriageOutcome {
  return a === undefined || (a !== 'ok' && b === 'ok') ? b : a;
}

export interface Whereabouts {
  /** Id → the shards that have it: one, in all but strange cases. */
  readonly places: ReadonlyMap<string, number[]>;
  readonly unread: readonly { shard: number; error: unknown }[];
}

/** One round trip to all shards, whatever the number of ids. */
export async function whereabouts(
  ctx: ShardedContext,
  layout: Layout,
  ids: readonly string[],
): Promise<Whereabouts> {
  const places = new Map<string, number[]>();
  const unread = new Map<number, unknown>();
  for (let from = 0; from < ids.length; from += WHERE_MAX_IDS) {
    const part = ids.slice(from, from + WHERE_MAX_IDS);
    const settled = await evalMany(
      ctx,
      layout.names.map((queue) => ({ script: 'where', queue, args: [...part] })),
    );
    settled.forEach((one, shard) => {
      if (one.status === 'rejected') unread.set(shard, one.reason);
      else
        numbers(one.value, 'where').forEach((here, i) => {
          const id = part[i];
          if (here !== 1 || id === undefined) return;
          const known = places.get(id);
          if (!known?.includes(shard)) places.set(id, [...(known ?? []), shard]);
        });
    });
  }
  return { places, unread: [...unread].map(([shard, error]) => ({ shard, error })) };
}
