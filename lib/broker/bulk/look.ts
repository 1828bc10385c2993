/**
 * A look at the jobs an operation is about, without changing any: what each is, and whether it would be skipped, and why. The scripts that
 * move jobs decide for themselves, by the same rules, when its turn comes.
 */
import type { Envelope } from '@/lib/contract/envelope';
import type { PreviewRequest, SkipReason } from '@/lib/contract/operations';
import type { JobFacts } from '@/lib/contract/query';
import { decodeRow } from '../row';
import { factsOf, storedJobs } from '../search/facts';
import type { Hit } from '../search/scan';
import { grouped } from '../sharded/fan-out';
import { placeOf } from '../sharded/layout';
import type { Place } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { type Editor, edited } from './edits';
import { isUnsafe, needsIdempotencyKey } from './safety';

export interface Looked {
  readonly place: Place;
  readonly jobId: string;
  readonly score: number;
  /** Without payload and message: thousands are kept until the preview is made. */
  readonly facts: JobFacts;
  readonly envelope: Envelope | null;
  /** Null: it would be moved. */
  readonly skip: SkipReason | null;
}

export interface LookInput {
  readonly request: PreviewRequest;
  readonly at: number;
  /** For an edit: what it would make of a payload. */
  readonly editor: Editor | null;
}

/** At a time: rows may be large. */
const LOOKED_AT_ONCE = 100;

type Seen = Pick<Hit, 'jobId' | 'score' | 'class'>;

/** In the order of the hits, until so many bytes were read. What vanished meanwhile is left out. */
export async function lookAt(
  ctx: ShardedContext,
  place: Place,
  hits: readonly Seen[],
  input: LookInput,
  mostBytes: number = Number.POSITIVE_INFINITY,
): Promise<{ looked: Looked[]; bytes: number }> {
  const looked: Looked[] = [];
  let bytes = 0;
  for (let i = 0; i < hits.length && bytes <= mostBytes; i += LOOKED_AT_ONCE) {
    const some = hits.slice(i, i + LOOKED_AT_ONCE);
    const part = await lookAtSome(ctx, place, some, input);
    looked.push(...part.looked);
    bytes += part.bytes;
  }
  return { looked, bytes };
}

async function lookAtSome(
  ctx: ShardedContext,
  place: Place,
  hits: readonly Seen[],
  input: LookInput,
): Promise<{ looked: Looked[]; bytes: number }> {
  const { request } = input;
  const ids = hits.map(({ jobId }) => jobId);
  const stored = await storedJobs(ctx, place.name, ids);
  const reruns = request.kind === 'redrive' || request.kind === 'move' || request.kind === 'edit';
  const rows = stored.map(({ row }, i) => decodeRow(ids[i] ?? '', row));
  const goals = reruns
    ? await goalsOf(
        ctx,
        place,
        request.target,
        rows.map(({ envelope }) => envelope),
      )
    : [];
  const owners = await uniqueOwners(ctx, goals, input.at);
  const taken = request.target === undefined ? new Set<string>() : await takenIds(ctx, goals);
  const looked: Looked[] = [];
  let bytes = 0;
  hits.forEach((hit, i) => {
    const [job, row] = [stored[i], rows[i]];
    if (!job || !row) return;
    bytes += job.row.length;
    const { envelope } = row;
    const owner = owners[i];
    const skip = (): SkipReason | null => {
      if (!reruns) return null;
      if (isUnsafe(request, hit.class)) return 'not-safe';
      if (!envelope) return 'unreadable';
      if (needsIdempotencyKey(request, hit.class) && envelope.idempotencyKey === null)
        return 'no-idempotency-key';
      if (envelope.deadline !== null && envelope.deadline <= input.at) return 'deadline-passed';
      // Into its own queue it goes by itself: it leaves before it arrives.
      if (taken.has(hit.jobId) && place.queue !== request.target) return 'id-taken';
      if (owner !== undefined && owner !== hit.jobId) return 'not-unique';
      if (!input.editor) return null;
      return edited(input.editor, hit.jobId, job.row).skip;
    };
    looked.push({
      place,
      jobId: hit.jobId,
      score: hit.score,
      facts: { ...factsOf(place.queue, request.scope.state, hit, job, null), message: null },
      envelope,
      skip: skip(),
    });
  });
  return { looked, bytes };
}

/** Where a job would run: the shard, and the uniqueness key it would take there. Null: its row cannot be read. */
type Goal = { readonly name: string; readonly jobId: string; readonly key: string | null } | null;

async function goalsOf(
  ctx: ShardedContext,
  place: Place,
  target: string | undefined,
  envelopes: readonly (Envelope | null)[],
): Promise<Goal[]> {
  const layout = target === undefined ? null : (ctx.shards.recent(target) ?? (await ctx.shards.of(target)));
  return envelopes.map((envelope) => {
    if (!envelope) return null;
    const { jobId, tenantId, unique } = envelope;
    // Back in its own queue a job has the key of its window still, or nobody asks for it any more.
    const key = unique && (layout || unique.scope !== 'window') ? unique.key : null;
    const shard = layout && placeOf(layout, { jobId, tenantId, ...(unique ? { unique } : {}) });
    return { name: (shard !== null && layout?.names[shard]) || place.name, jobId, key };
  });
}

const byName = (goals: readonly Goal[]) =>
  grouped(
    goals.filter((goal) => goal !== null),
    ({ name }) => name,
  );

/** Who has the uniqueness key of each; undefined: nobody, or it has none that it would take. */
async function uniqueOwners(
  ctx: ShardedContext,
  goals: readonly Goal[],
  at: number,
): Promise<(string | undefined)[]> {
  const owners = new Map<string, string>();
  for (const [name, { items }] of byName(goals)) {
    const asked = [...new Set(items.flatMap(({ key }) => key ?? []))];
    if (asked.length === 0) continue;
    const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.column(name, 'unique'), ...asked));
    rows.forEach((row, i) => {
      const [, owner, until] = /^(\S+) (\d+)$/.exec(row ?? '') ?? [];
      if (owner && Number(until) > at) owners.set(`${name} ${asked[i]}`, owner);
    });
  }
  return goals.map((goal) => (goal?.key ? owners.get(`${goal.name} ${goal.key}`) : undefined));
}

/** Which ids are there already, where they would go. */
async function takenIds(ctx: ShardedContext, goals: readonly Goal[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (const [name, { items }] of byName(goals)) {
    const key = ctx.keys.column(name, 'jobs');
    const found = await ctx.plain((redis) =>
      Promise.all(items.map(({ jobId }) => redis.hexists(key, jobId))),
    );
    items.forEach(({ jobId }, i) => {
      if (found[i] === 1) taken.add(jobId);
    });
  }
  return taken;
}
