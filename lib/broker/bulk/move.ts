/**
 * One chunk of an operation in one place: the jobs a scan found are moved, counted, and passed by the cursor in the same script, by
 * compare-and-set on the cursor. So any number of runners may try, and any of them may die anywhere: no job is moved twice, none is
 * passed over, and a job that left its state or died again since it was found is left alone.
 */
import { setImmediate } from 'node:timers/promises';
import type { OperationKind, PatchStep } from '@/lib/contract/operations';
import type { JobState } from '@/lib/contract/states';
import type { ScriptName } from '../lua.generated';
import { type Actor, actorNote } from '../note';
import type { Arg } from '../script';
import type { ShardedContext } from '../shards';
import { type Edited, editSome, type PayloadCheck } from './edit-chunk';
import { finishOutbox, targetSharding } from './outbox';
import { chunkReply, type Progress, readProgress } from './progress';
import { isUnsafe, needsIdempotencyKey } from './safety';

/** What a place needs to know of an operation. */
export interface MoveSpec {
  readonly id: string;
  readonly kind: OperationKind;
  /** Where its jobs are. A recall looks itself: they may be ready, held or retrying by now. */
  readonly state: JobState;
  readonly by: Actor;
  /** move: the other queue. */
  readonly target: string | null;
  /** edit. */
  readonly patch: readonly PatchStep[] | null;
  /** edit: what handlers take; left out: anything. */
  readonly check?: PayloadCheck | null;
  /** reschedule. */
  readonly dueAt: number | null;
  readonly includeUnsafe: boolean;
  /** What was brought back to dead after it, as of when it had died, is left alone; left out: is not looked at. */
  readonly cutoff?: number | null;
  /** recall: only jobs that this operation put back; null: that any did. */
  readonly undoes: string | null;
  /** What it is about, for the record of the queue; see about.ts. */
  readonly about?: string;
}

/** A job as a scan found it. */
export interface MoveHit {
  readonly jobId: string;
  /** Its claim's token while it is in flight, else its score: if that differs by now, it is not as it was found. */
  readonly stamp: string;
  readonly score: string | number;
  readonly class: string | null;
  /** Entries of the chunk the scan had looked at by then, this one among them. */
  readonly looked: number;
  /** Where a walk goes on behind it; left out: `<score>|<id>`. */
  readonly cursor?: string;
}

export interface MoveChunk {
  readonly hits: readonly MoveHit[];
  /** Where the walk goes on behind all of it. */
  readonly cursor: string;
  /** There is nothing behind it. */
  readonly done: boolean;
  /** Entries the scan looked at. */
  readonly scanned: number;
}

/**
 * So many jobs in one script, some 60 µs each for those that cost most: whoever else waits for Redis waits for two such scripts and a
 * search at most. The script itself takes fewer when their rows are large.
 */
export const SCRIPT_JOBS = 10;
/** … on the way to another queue: each such step takes three scripts, one after the other. */
export const OUTBOX_JOBS = 30;
/**
 * Scripts under way at a time: while Redis runs one, the reply to the one before is read and the next is made. Each begins where the
 * one before is to end, so Redis refuses it should that one not get so far.
 */
const UNDER_WAY = 2;

const SCRIPTS: Partial<Record<OperationKind, ScriptName>> = {
  redrive: 'bulk-redrive',
  edit: 'bulk-redrive',
  move: 'bulk-outbox',
  suppress: 'bulk-shelve',
  purge: 'bulk-shelve',
  unsuppress: 'bulk-restore',
  restore: 'bulk-restore',
  recall: 'bulk-recall',
  delete: 'bulk-delete',
  cancel: 'bulk-cancel',
  promote: 'bulk-promote',
  reschedule: 'bulk-reschedule',
};

/**
 * Moves what the scan found, in as many scripts as it takes. `from`: the cursor the scan went on from.
 * @returns how the place stands; `applied` false: another runner was first, and nothing was done
 */
export async function moveChunk(
  ctx: ShardedContext,
  place: { readonly name: string },
  spec: MoveSpec,
  from: string,
  chunk: MoveChunk,
): Promise<Progress> {
  const script = SCRIPTS[spec.kind];
  if (!script) throw new Error(`${spec.kind} moves no jobs`);
  const mover: Mover = { ctx, name: place.name, spec, script, word: await wordOf(ctx, spec) };
  // Jobs that go to another queue have to arrive before more of them leave.
  const atOnce = spec.kind === 'move' ? 1 : UNDER_WAY;
  const sent: { part: Part; step: Promise<Step> }[] = [];
  let at = 0;
  let next = { cursor: from, at };
  for (;;) {
    while (sent.length < atOnce && (next.at < chunk.hits.length || (next.at === 0 && sent.length === 0))) {
      // Apart, or Redis reads both at once and lets nobody in between.
      if (sent.length > 0) await setImmediate();
      const part = await nextPart(mover, chunk, next.at);
      const step = run(mover, next.cursor, part);
      // Whoever gives up before it is here has said why.
      step.catch(() => undefined);
      sent.push({ part, step });
      next = { cursor: part.upto, at: next.at + part.hits.length };
    }
    const oldest = sent.shift();
    if (!oldest) throw new Error('nothing is under way');
    const step = await oldest.step;
    if (!step.progress.applied) {
      // One behind it may find its place yet, and one before it may have run after it: on a Cluster, or when Redis had to be sent the
      // script anew. What any of them says of the place may be old by now.
      const behind = await Promise.all(sent.splice(0).map(({ step }) => step));
      if (at === 0 && behind.every(({ progress }) => !progress.applied)) return step.progress;
      return { ...(await readProgress(ctx, place, spec.id)), applied: true };
    }
    at += step.taken;
    if (at >= chunk.hits.length) return step.progress;
    if (step.taken === oldest.part.hits.length) continue;
    // It took fewer, for they are large: what was sent behind it is refused, and goes again from here.
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
}

/** What one script gets. */
interface Part {
  readonly hits: readonly MoveHit[];
  readonly extras: readonly Arg[];
  readonly upto: string;
  readonly last: boolean;
  /** Entries that were looked at up to each of the hits, and for all of the part. */
  readonly looked: readonly number[];
}

async function nextPart({ ctx, name, spec }: Mover, chunk: MoveChunk, at: number): Promise<Part> {
  const wanted = chunk.hits.slice(at, at + (spec.kind === 'move' ? OUTBOX_JOBS : SCRIPT_JOBS));
  const ids = wanted.map(({ jobId }) => jobId);
  const edited =
    spec.kind === 'edit' ? await editSome(ctx, name, ids, spec.patch ?? [], spec.check ?? null) : null;
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

/** What the script is told of a job: to leave it alone, to look for its idempotency key, or its row as it shall be. */
function extraOf(spec: MoveSpec, hit: MoveHit, edited: Edited): Arg {
  if (isUnsafe(spec, hit.class)) return 'skip not-safe';
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
  readonly progress: Progress;
  /** Where this step left it. Others may have come further since: then it is not where they are, and what follows is refused. */
  readonly cursor: string;
  /** Jobs of the part that were dealt with. */
  readonly taken: number;
}

async function run(mover: Mover, from: string, part: Part): Promise<Step> {
  const { ctx, name, spec } = mover;
  if (spec.kind !== 'move') return send(mover, from, part);
  // What an earlier runner sent on its way arrives first, whoever sent it.
  let step = await send(mover, from, part);
  if (step.onTheWay && !step.progress.applied) {
    await finishOutbox(ctx, name, spec);
    step = await send(mover, from, part);
  }
  if (!step.onTheWay || !step.progress.applied) return step;
  const settled = await finishOutbox(ctx, name, spec);
  const progress = settled ? { ...settled, applied: true } : step.progress;
  if (!part.last || step.taken < part.hits.length || progress.status !== 'running')
    return { ...step, progress };
  // The last of them have arrived: only now is it over here.
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
    actorNote({ ...spec.by, requestId: spec.id }),
  ];
  args.push(spec.kind, word, `${spec.cutoff ?? ''}${spec.about ?? ''}`);
  hits.forEach((hit, i) => {
    args.push(hit.jobId, hit.stamp, cursorAfter(hit), extras[i] ?? '');
  });
  const reply = chunkReply(await ctx.run(script, name, args), script);
  return { ...reply, cursor: reply.progress.cursor };
}
