/** Inspects jobs for a preview: whether each would be skipped, and why. The scripts that move jobs decide again by the same rules. */

import { decodeRow, splitRow } from '@/lib/broker/jobs/job-row';
import { replyList, replyText } from '@/lib/broker/redis/script-reply';
import { jobFactsOf, readStoredJobs } from '@/lib/broker/search/scan/job-facts';
import type { ScanHit } from '@/lib/broker/search/scan/scan-step';
import { groupWithPositions } from '@/lib/broker/shards/fan-out';
import { shardOfJob } from '@/lib/broker/shards/shard-layout';
import type { ShardRef } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { Envelope } from '@/lib/contract/jobs/envelope';
import { RERUNS, type SkipReason } from '@/lib/contract/operations/operation-kinds';
import { skipReasonSchema } from '@/lib/contract/operations/operation-preview';
import type { PreviewRequest } from '@/lib/contract/operations/operation-request';
import { isUnsafeToRerun, needsIdempotencyKey } from '@/lib/contract/operations/rerun-safety';
import type { JobFacts } from '@/lib/contract/search/query';
import { type PayloadEditor, previewEdit } from '../kinds/edit-payload';

export interface InspectedJob {
  readonly shard: ShardRef;
  readonly jobId: string;
  readonly score: number;
  /** Without payload and message, because thousands are held at a time. */
  readonly facts: JobFacts;
  readonly envelope: Envelope | null;
  /** Null: it would be moved. */
  readonly skip: SkipReason | null;
}

export interface InspectInput {
  readonly request: PreviewRequest;
  /** Null: not an edit. */
  readonly editor: PayloadEditor | null;
}

/** Rows may be large. */
const ROWS_AT_ONCE = 100;

type FoundJob = Pick<ScanHit, 'jobId' | 'score' | 'class'>;

/** In the order of the hits, until `maxBytes` were read. Jobs that are gone by now are left out. */
export async function inspectJobs(
  ctx: ShardedContext,
  shard: ShardRef,
  hits: readonly FoundJob[],
  input: InspectInput,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Promise<{ jobs: InspectedJob[]; bytes: number }> {
  const jobs: InspectedJob[] = [];
  let bytes = 0;
  for (let i = 0; i < hits.length && bytes <= maxBytes; i += ROWS_AT_ONCE) {
    const next = hits.slice(i, i + ROWS_AT_ONCE);
    const part = await inspectPart(ctx, shard, next, input);
    jobs.push(...part.jobs);
    bytes += part.bytes;
  }
  return { jobs, bytes };
}

async function inspectPart(
  ctx: ShardedContext,
  shard: ShardRef,
  hits: readonly FoundJob[],
  input: InspectInput,
): Promise<{ jobs: InspectedJob[]; bytes: number }> {
  const { request } = input;
  const ids = hits.map(({ jobId }) => jobId);
  const stored = await readStoredJobs(ctx, shard.name, ids);
  const reruns = RERUNS.has(request.kind);
  const rows = stored.map(({ row }, i) => decodeRow(ids[i] ?? '', row));
  const refusals = reruns
    ? await findRefusals(
        ctx,
        shard,
        request.target,
        stored.map(({ row }, i) => ({
          envelope: rows[i]?.envelope ?? null,
          needsKey: needsIdempotencyKey(request, hits[i]?.class ?? null),
          row,
        })),
      )
    : [];
  const jobs: InspectedJob[] = [];
  let bytes = 0;
  hits.forEach((hit, i) => {
    const [job, row] = [stored[i], rows[i]];
    if (!job || !row) return;
    bytes += job.row.length;
    const { envelope } = row;
    const skip = (): SkipReason | null => {
      if (!reruns) return null;
      if (isUnsafeToRerun(request, hit.class)) return 'not-safe';
      const refusal = refusals[i];
      if (refusal) return refusal;
      if (!input.editor) return null;
      return previewEdit(input.editor, { queue: shard.queue, jobId: hit.jobId }, job.row).skip;
    };
    jobs.push({
      shard,
      jobId: hit.jobId,
      score: hit.score,
      facts: { ...jobFactsOf(shard.queue, request.scope.state, hit, job, null), message: null },
      envelope,
      skip: skip(),
    });
  });
  return { jobs, bytes };
}

interface RerunCandidate {
  readonly envelope: Envelope | null;
  readonly needsKey: boolean;
  readonly row: Buffer;
}

/** Why each job may not run again where it would go, by the rules of the scripts that move jobs; null when it may. */
async function findRefusals(
  ctx: ShardedContext,
  shard: ShardRef,
  target: string | undefined,
  candidates: readonly RerunCandidate[],
): Promise<(SkipReason | null)[]> {
  const layout = target === undefined ? null : (ctx.shards.recent(target) ?? (await ctx.shards.of(target)));
  const mode = target === undefined ? 'redrive' : target === shard.queue ? 'return' : 'move';
  const refusals: (SkipReason | null)[] = candidates.map(() => 'unreadable');
  const readable = candidates.flatMap((candidate, at) =>
    candidate.envelope ? [{ ...candidate, envelope: candidate.envelope, at }] : [],
  );
  const parts = groupWithPositions(readable, ({ envelope: { jobId, tenantId, unique } }) =>
    layout ? layout.names[shardOfJob(layout, { jobId, tenantId, ...(unique && { unique }) })] : shard.name,
  );
  for (const [name = shard.name, { items }] of parts) {
    const args = items.flatMap(({ envelope, needsKey, row }) => [
      envelope.jobId,
      needsKey ? 1 : 0,
      `${splitRow(row).head}\n`,
    ]);
    const reply = replyList(await ctx.run('redrive-check', name, [mode, ...args]), 'redrive-check');
    items.forEach(({ at }, i) => {
      const reason = replyText(reply[i]);
      refusals[at] = reason === '' ? null : skipReasonSchema.parse(reason);
    });
  }
  return refusals;
}
