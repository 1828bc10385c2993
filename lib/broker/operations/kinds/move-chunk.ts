/**
 * One chunk of an operation in one shard. Each script moves and counts jobs and advances the cursor by compare-and-set: any number of runners
 * may try, and any may die, yet no job is moved twice or missed.
 */
import { setImmediate } from 'node:timers/promises';
import { actorJson } from '@/lib/broker/access/actor';
import type { ScriptName } from '@/lib/broker/lua.generated';
import type { Arg } from '@/lib/broker/redis/script-runner';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import { isUnsafeToRerun, needsIdempotencyKey } from '@/lib/contract/operations/rerun-safety';
import { type EditedRow, editRows } from './edit-payload';
import { finishTransfer, targetSharding } from './job-transfer';
import type { MoveSpec } from './move-spec';
import { ScriptSize } from './script-size';
import { parseChunkReply, readShardProgress, type ShardProgress } from './shard-progress';

/** A job, as the scan returned it. */
export interface MoveHit {
  readonly jobId: string;
  /** Its claim's token while it is in flight, else its score. A job with another stamp by now is skipped. */
  readonly stamp: string;
  readonly score: string | number;
  readonly class: string | null;
  /** Entries of the chunk that the scan had read, including this one. */
  readonly looked: number;
  /** The cursor behind it; left out: `<score>|<id>`. */
  readonly cursor?: string;
}

export interface MoveChunk {
  readonly hits: readonly MoveHit[];
  /** The cursor behind the chunk. */
  readonly cursor: string;
  /** It is the last chunk of the shard. */
  readonly done: boolean;
  /** Entries that the scan read. */
  readonly scanned: number;
}

/** Jobs in one script on the way to another queue, which takes three scripts, one after the other. */
export const TRANSFER_JOBS = 30;
/** Scripts sent at a time. Each begins where the one before should end; Redis refuses it when that one took fewer jobs. */
const UNDER_WAY = 2;

const SCRIPTS: Readonly<Record<OperationKind, ScriptName | null>> = {
  redrive: 'redrive',
  edit: 'redrive',
  move: 'transfer-send',
  suppress: 'set-aside',
  purge: 'set-aside',
  unsuppress: 'restore',
  restore: 'restore',
  recall: 'recall',
  delete: 'delete',
  cancel: 'cancel',
  promote: 'promote',
  reschedule: 'reschedule',
  // The console writes the file; delete-queue.ts deletes shard by shard.
  export: null,
  'delete-queue': null,
};

/**
 * Moves the jobs of a chunk, in as many scripts as it takes.
 * @param from the cursor from which the scan went on
 * @param size jobs in one script, adapted on the way; with large rows a script takes fewer
 * @returns the progress of the shard; `applied` false: another runner was first, and nothing was done
 */
export async function moveChunk(
  ctx: ShardedContext,
  shard: { readonly name: string },
  spec: MoveSpec,
  from: string,
  chunk: MoveChunk,
  size: ScriptSize = new ScriptSize(),
): Promise<ShardProgress> {
  const script = SCRIPTS[spec.kind];
  if (!script) throw new Error(`${spec.kind} moves no jobs`);
  const mover: Mover = { ctx, name: shard.name, spec, script, word: await wordOf(ctx, spec), size };
  // Jobs that go to another queue have to arrive before more of them leave.
  const atOnce = spec.kind === 'move' ? 1 : UNDER_WAY;
  const sent: { part: Part; step: Promise<Step>; sentAtMs: number; isBehind: boolean }[] = [];
  let repliedAtMs = 0;
  let at = 0;
  let next = { cursor: from, at };
  for (;;) {
    while (sent.length < atOnce && (next.at < chunk.hits.length || (next.at === 0 && sent.length === 0))) {
      // Apart, or Redis reads both at once and lets no other call in between.
      if (sent.length > 0) await setImmediate();
      const part = await nextPart(mover, chunk, next.at);
      const step = run(mover, next.cursor, part);
      // A rejection is handled where the script is awaited.
      step.catch(() => undefined);
      sent.push({ part, step, sentAtMs: performance.now(), isBehind: sent.length > 0 });
      next = { cursor: part.upto, at: next.at + part.hits.length };
    }
    const oldest = sent.shift();
    if (!oldest) throw new Error('nothing is under way');
    const step = await oldest.step;
    const nowMs = performance.now();
    // Of a script that waited for another the time on the network does not count.
    if (oldest.isBehind) size.adapt(step.taken, Math.max(nowMs - repliedAtMs, (nowMs - oldest.sentAtMs) / 2));
    repliedAtMs = nowMs;
    if (!step.progress.applied) {
      // On a Cluster scripts may run in another order, so a later one may apply: the progress is read anew.
      const behind = await Promise.all(sent.splice(0).map(({ step }) => step));
      if (at === 0 && behind.every(({ progress }) => !progress.applied)) return step.progress;
      return { ...(await readShardProgress(ctx, shard, spec.id)), applied: true };
    }
    at += step.taken;
    if (at >= chunk.hits.length) return step.progress;
    if (step.taken === oldest.part.hits.length) continue;
    // It took fewer large jobs: the scripts behind it are refused and sent again.
    await Promise.all(sent.splice(0).map(({ step }) => step));
    next = { cursor: step.cursor, at };
  }
}

interface Mover {
  readonly ctx: ShardedContext;
  readonly name: string;
  readonly spec: MoveSpec;
  readonly script: ScriptName;
  readonly word: string;
  readonly size: ScriptSize;
}

/** The part of a chunk for one script. */
interface Part {
  readonly hits: readonly MoveHit[];
  readonly extras: readonly Arg[];
  readonly upto: string;
  readonly last: boolean;
  /** Entries read up to each of the hits, and for all of the part. */
  readonly looked: readonly number[];
}

async function nextPart({ ctx, name, spec, size }: Mover, chunk: MoveChunk, at: number): Promise<Part> {
  const wanted = chunk.hits.slice(at, at + (spec.kind === 'move' ? TRANSFER_JOBS : size.jobs));
  const ids = wanted.map(({ jobId }) => jobId);
  const edited =
    spec.kind === 'edit' ? await editRows(ctx, name, ids, spec.patch ?? [], spec.check ?? null) : null;
  const hits = edited ? wanted.slice(0, edited.length) : wanted;
  const extras = hits.map((hit, i) => extraOf(spec, hit, edited?.[i] ?? null));
  const whole = at + hits.length >= chunk.hits.length;
  const end = hits.at(-1);
  const before = chunk.hits[at - 1]?.looked ?? 0;
  const all = whole || !end ? chunk.scanned : end.looked;
  return {
    hits,
    extras,
    upto: whole || !end ? chunk.cursor : cursorAfter(end),
    last: whole && chunk.done,
    looked: [...hits.map(({ looked }) => looked), all].map((looked) => looked - before),
  };
}

const cursorAfter = ({ cursor, score, jobId }: MoveHit): string => cursor ?? `${score}|${jobId}`;

/** The script's argument for a job: to skip it, to require its idempotency key, or its edited row. */
function extraOf(spec: MoveSpec, hit: MoveHit, edited: EditedRow): Arg {
  if (isUnsafeToRerun(spec, hit.class)) return 'skip not-safe';
  const keyed = needsIdempotencyKey(spec, hit.class);
  if (!edited) return keyed ? 'key' : '';
  if ('skip' in edited) return `skip ${edited.skip}`;
  if (keyed && !edited.hasKey) return 'skip no-idempotency-key';
  return Buffer.concat([Buffer.from('row '), edited.row]);
}

async function wordOf(ctx: ShardedContext, spec: MoveSpec): Promise<string> {
  switch (spec.kind) {
    case 'reschedule':
      return `${spec.state} ${spec.dueAt ?? 0}`;
    case 'recall':
      return spec.undoes ?? '';
    case 'move':
      return `${spec.state} ${await targetSharding(ctx, spec)}`.trimEnd();
    default:
      return spec.state;
  }
}

interface Step {
  readonly progress: ShardProgress;
  /** The cursor after this step, which another runner may have passed since. */
  readonly cursor: string;
  /** Jobs of the part that were moved or skipped. */
  readonly taken: number;
}

async function run(mover: Mover, from: string, part: Part): Promise<Step> {
  const { ctx, name, spec } = mover;
  if (spec.kind !== 'move') return send(mover, from, part);
  // Jobs that an earlier runner sent arrive first.
  let step = await send(mover, from, part);
  if (step.onTheWay && !step.progress.applied) {
    await finishTransfer(ctx, name, spec);
    step = await send(mover, from, part);
  }
  if (!step.onTheWay || !step.progress.applied) return step;
  const settled = await finishTransfer(ctx, name, spec);
  const progress = settled ? { ...settled, applied: true } : step.progress;
  if (!part.last || step.taken < part.hits.length || progress.status !== 'running')
    return { ...step, progress };
  // The shard is done once its last jobs have arrived.
  const end = await send(mover, step.cursor, { ...part, hits: [], extras: [], looked: [0] });
  return { ...step, progress: { ...end.progress, applied: true } };
}

async function send(
  { ctx, name, spec, script, word }: Mover,
  from: string,
  { hits, extras, upto, last, looked }: Part,
): Promise<Step & { onTheWay: boolean }> {
  const args: Arg[] = [
    spec.id,
    from,
    upto,
    last ? 1 : 0,
    looked.join(' '),
    actorJson({ ...spec.by, requestId: spec.id }),
  ];
  args.push(spec.kind, word, `${spec.cutoff ?? ''}${spec.summary ?? ''}`);
  hits.forEach((hit, i) => {
    // The script makes the usual cursor itself.
    const isUsual = hit.cursor === undefined && String(hit.score) === hit.stamp;
    args.push(hit.jobId, hit.stamp, isUsual ? '' : cursorAfter(hit), extras[i] ?? '');
  });
  const reply = parseChunkReply(await ctx.run(script, name, args), script);
  return { ...reply, cursor: reply.progress.cursor };
}

/** No later chunk moves jobs in the shard. Jobs on their way to another queue still arrive. @throws while that queue is unreachable */
export async function stopShard(
  ctx: ShardedContext,
  { name }: { readonly name: string },
  spec: Pick<MoveSpec, 'id' | 'kind' | 'by' | 'target' | 'summary'>,
): Promise<ShardProgress> {
  const note = actorJson({ ...spec.by, requestId: spec.id });
  const { progress } = parseChunkReply(
    await ctx.run('operation-stop', name, [spec.id, note, spec.kind, spec.summary ?? '']),
    'operation-stop',
  );
  const settled = spec.kind === 'move' ? await finishTransfer(ctx, name, spec) : null;
  return settled ?? progress;
}
