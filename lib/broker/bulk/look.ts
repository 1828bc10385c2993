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
import { homeOf } from '../sharded/layout';
import type { Place } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { type Editor, edited } from './edits';
import { isUnsafe, needsIdempotencyKey } from './safety';

export interface Looked {
  readonly place: Place;
  readonly jobId: string;
  readonly score: number;
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

/** In the order of the hits. What vanished meanwhile is left out. */
export async function lookAt(
  ctx: ShardedContext,
  place: Place,
  hits: readonly Seen[],
  input: LookInput,
): Promise<{ looked: Looked[]; bytes: number }> {
  const looked: Looked[] = [];
  let bytes = 0;
  for (let i = 0; i < hits.length; i += LOOKED_AT_ONCE) {
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
  const owners = reruns
    ? await uniqueOwners(
        ctx,
        place,
        rows.map(({ envelope }) => envelope),
        input.at,
      )
    : [];
  const taken = request.target === undefined ? new Set<string>() : await takenIds(ctx, request.target, ids);
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
      if (owner !== undefined && owner !== hit.jobId) return 'not-unique';
      if (taken.has(hit.jobId)) return 'id-taken';
      if (!input.editor) return null;
      return edited(input.editor, hit.jobId, job.row).skip;
    };
    looked.push({
      place,
      jobId: hit.jobId,
      score: hit.score,
      facts: factsOf(place.queue, request.scope.state, hit, job),
      envelope,
      skip: skip(),
    });
  });
  return { looked, bytes };
}

/** Who has the uniqueness key of each; undefined: nobody, or it has none that a re-drive takes. */
async function uniqueOwners(
  ctx: ShardedContext,
  place: Place,
  envelopes: readonly (Envelope | null)[],
  at: number,
): Promise<(string | undefined)[]> {
  const keys = envelopes.map((envelope) =>
    envelope?.unique && envelope.unique.scope !== 'window' ? envelope.unique.key : null,
  );
  const asked = [...new Set(keys.filter((key) => key !== null))];
  if (asked.length === 0) return [];
  const rows = await ctx.plain((redis) => redis.hmget(ctx.keys.column(place.name, 'unique'), ...asked));
  const owners = new Map<string, string>();
  rows.forEach((row, i) => {
    const [, owner, until] = /^(\S+) (\d+)$/.exec(row ?? '') ?? [];
    if (owner && Number(until) > at) owners.set(asked[i] ?? '', owner);
  });
  return keys.map((key) => (key === null ? undefined : owners.get(key)));
}

/** Which ids another queue already has, where they would go. */
async function takenIds(ctx: ShardedContext, target: string, ids: readonly string[]): Promise<Set<string>> {
  const layout = ctx.shards.recent(target) ?? (await ctx.shards.of(target));
  const taken = new Set<string>();
  const byShard = new Map<string, string[]>();
  for (const id of ids) {
    const name = layout.names[homeOf(layout, id)] ?? layout.queue;
    byShard.set(name, [...(byShard.get(name) ?? []), id]);
  }
  for (const [name, some] of byShard) {
    const key = ctx.keys.column(name, 'jobs');
    const found = await ctx.plain((redis) => Promise.all(some.map((id) => redis.hexists(key, id))));
    some.forEach((id, i) => {
      if (found[i] === 1) taken.add(id);
    });
  }
  return taken;
}
