/**
 * One step of an operation: look at how far it is, decide, and move a few chunks. Any number of runners may step any operation:
 * every chunk moves its jobs, its counts and its cursor in one script that first looks whether the cursor is still where the
 * runner found it. The lease only saves two runners from doing the same work.
 */
import { isOpen, type Operation } from '@/lib/contract/operations';
import type { OperationRecord } from '@/lib/contract/verbs';
import { serverNow } from '../now';
import type { ShardedContext } from '../shards';
import { advanced, withCounts } from './advance';
import { chunkAt, lookAhead } from './ahead';
import { type Decision, decide, type Ended, phaseOf, watchesOutcome } from './decide';
import { deleteNext, dropName } from './delete-queue';
import { finished, paused, stopped } from './endings';
import { renewed, takeLease } from './lease';
import { moveChunk } from './move';
import { readOutcome } from './outcomes';
import { pickPlace } from './pick';
import { loadRecord, updateRecord } from './records';
import { arrived, forgetRun, knownRun, openRun, type Run, readAssumed, rest, totalsOf } from './run';
import { fullSpecOf } from './spec';
import { shown } from './view';

/** Whether whoever answers for an operation may still do what it does; if not, why, for the person who finds it paused. */
export type MayGoOn = (
  record: OperationRecord,
) => Promise<{ readonly ok: true } | { readonly ok: false; readonly sentence: string }>;
export interface StepOptions {
  readonly sliceMs?: number;
  /** Left out: nobody is asked. */
  readonly mayGoOn?: MayGoOn;
}

export interface Stepped {
  readonly operation: Operation;
  /** Not before that is there anything to do; 0: at once, or never again if it has ended. */
  readonly waitMs: number;
}

/** Then others get a turn: the operations of this process share one. */
const SLICE_MS = 25;
/** The record follows the truth, which is in the places, at this distance. */
const SAVE_EVERY_MS = 250;
/** A chunk found this long ago is thrown away: the lease is as good as gone. */
const STALE_AFTER_MS = 3_000;
const IDLE_MS = 1_000;
/** What somebody may do is asked this often while an operation moves jobs in their name. */
const ASK_EVERY_MS = 1_000;

/** @throws RedriveError OPERATION_NOT_FOUND, and whatever must end the operation (see `failOperation`) */
export async function stepOperation(
  ctx: ShardedContext,
  id: string,
  runner: string,
  options: StepOptions = {},
): Promise<Stepped> {
  const record = await loadRecord(ctx, id);
  // An export is written by whoever fetches its file.
  if (record.status !== 'running' || record.kind === 'export') {
    const rests = await told(ctx, record, runner);
    forgetRun(ctx, id);
    return { operation: shown(rests), waitMs: isOpen(record.status) ? IDLE_MS : 0 };
  }
  const now = await serverNow(ctx);
  const lease = await takeLease(ctx, record, runner, now);
  if (!lease.mine) {
    forgetRun(ctx, id);
    return { operation: shown(lease.record), waitMs: Math.min(IDLE_MS, Math.max(1, lease.untilMs - now)) };
  }
  const run = await runFor(ctx, lease.record, runner, lease.taken);
  if (lease.record.stopping) return finish(ctx, await stopped(ctx, lease.record, now));
  return work(ctx, lease.record, run, options);
}

/** Paused by a person, who sees how far it came: what was moved since the record was last written is entered now. */
async function told(ctx: ShardedContext, record: OperationRecord, runner: string): Promise<OperationRecord> {
  const run = knownRun(ctx, record.id);
  if (record.status !== 'paused' || run?.runner !== runner) return record;
  await readAssumed(ctx, run);
  const totals = totalsOf(run);
  if (totals.moved <= record.moved && totals.scanned <= record.scanned) return record;
  return updateRecord(ctx, record.id, (stored) =>
    stored.status === 'paused' ? withCounts(stored, totals) : null,
  );
}

/** What was kept of it, while nobody else can have moved anything and no person has changed what it means. */
async function runFor(
  ctx: ShardedContext,
  record: OperationRecord,
  runner: string,
  taken: boolean,
): Promise<Run> {
  const known = knownRun(ctx, record.id);
  if (known && !taken && known.runner === runner && known.epoch === record.epoch) return known;
  return openRun(ctx, record, runner, taken);
}

async function work(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  { sliceMs = SLICE_MS, mayGoOn }: StepOptions,
): Promise<Stepped> {
  const startedAtMs = performance.now();
  let waitMs = 0;
  let canaryPassed = false;
  let ended: Ended | null = null;
  let decision: Decision;
  let now: number;
  do {
    now = await serverNow(ctx);
    const { mayBeMoved } = totalsOf(run);
    const plan = { canary: record.canary, stop: record.stop, control: run.control, moved: mayBeMoved };
    if (watchesOutcome(plan) && (ended === null || phaseOf(plan) === 'canary-wait'))
      ended = await endedOf(ctx, record, mayBeMoved);
    const left = run.states.some(({ progress }) => progress?.status !== 'done');
    decision = decide({ ...plan, now, pace: record.pace, left, ended });
    run.control = decision.control;
    canaryPassed ||= decision.canaryPassed;
    const { next } = decision;
    if (next.act === 'complete') {
      const waits = record.kind === 'delete-queue' ? await dropName(ctx, record, run, now) : null;
      if (waits !== null) return { operation: shown(waits), waitMs: IDLE_MS };
      return finish(ctx, await finished(ctx, record, run, now));
    }
    if (next.act === 'pause') return finish(ctx, await paused(ctx, record, run, next, now));
    if (run.states.some(({ progress }) => progress?.status === 'stopped'))
      return finish(ctx, await stopped(ctx, record, now));
    const refusal = next.act === 'move' && mayGoOn ? await refusalOf(record, run, mayGoOn) : null;
    if (refusal !== null)
      return finish(ctx, await paused(ctx, record, run, { by: 'rights', sentence: refusal }, now));
    waitMs = next.act === 'wait' ? next.waitMs : await moveSome(ctx, record, run, next.atMost, startedAtMs);
    // That the canary came out well is entered before the rest is over, which may be in this very slice.
  } while (waitMs === 0 && !canaryPassed && performance.now() - startedAtMs < sliceMs);
  return { operation: shown(await save(ctx, record, run, { now, canaryPassed })), waitMs };
}

/** Asked anew when that is some time ago. Null: it may go on. */
async function refusalOf(record: OperationRecord, run: Run, mayGoOn: MayGoOn): Promise<string | null> {
  if (record.rights === null || performance.now() - run.askedAtMs < ASK_EVERY_MS) return null;
  const answer = await mayGoOn(record);
  if (!answer.ok) return answer.sentence;
  run.askedAtMs = performance.now();
  return null;
}

/** Moves a chunk, where there is room for it. What to wait before the next. */
async function moveSome(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  atMost: number,
  startedAtMs: number,
): Promise<number> {
  if (record.kind === 'delete-queue') return deleteNext(ctx, record, run);
  const picked = await pickPlace(ctx, record, run);
  if ('waitMs' in picked) return picked.waitMs;
  const { state, room } = picked;
  const from = state.progress?.cursor ?? '';
  let hits = 0;
  try {
    const most = Math.min(atMost, room);
    const chunk = await chunkAt(ctx, record, run, state.place, from, most);
    if (performance.now() - startedAtMs > STALE_AFTER_MS) return 1;
    hits = chunk.hits.length;
    const moving = moveChunk(ctx, state.place, await fullSpecOf(ctx, record), from, chunk);
    lookAhead(ctx, record, run, state.place, chunk, most);
    arrived(state, await moving);
  } catch (error) {
    // One place in trouble must not keep the others waiting, nor end the operation: it says so, and is asked again.
    state.assumed += hits;
    rest(state, error);
  }
  return 0;
}

async function endedOf(ctx: ShardedContext, record: OperationRecord, moved: number): Promise<Ended | null> {
  const outcome = await readOutcome(ctx, record, moved);
  if (!outcome) return null;
  const { completed, diedAgain, recalled, deleted } = outcome;
  return { completed, diedAgain, withdrawn: recalled + deleted };
}

const finish = (ctx: ShardedContext, record: OperationRecord): Stepped => {
  forgetRun(ctx, record.id);
  return { operation: shown(record), waitMs: isOpen(record.status) ? IDLE_MS : 0 };
};

/** The record as it is now; written when it is time to. Somebody else's hand in it is left alone. */
async function save(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  { now, canaryPassed }: { now: number; canaryPassed: boolean },
): Promise<OperationRecord> {
  const latest = advanced(record, run, now, canaryPassed);
  const nowMs = performance.now();
  const early =
    nowMs - run.savedAtMs < SAVE_EVERY_MS &&
    latest.phase === record.phase &&
    latest.control.canarySince === record.control.canarySince &&
    latest.trouble === record.trouble &&
    latest.startedAt === record.startedAt;
  if (early) return latest;
  run.savedAtMs = nowMs;
  return updateRecord(ctx, record.id, (stored) =>
    stored.status === 'running' && stored.runner?.id === run.runner
      ? renewed(advanced(stored, run, now, canaryPassed), run.runner, now)
      : null,
  );
}
