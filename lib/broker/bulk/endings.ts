/** How an operation comes to rest: all of it is done, it was cancelled, it paused itself, or it cannot go on. */

import { type OperationKind, UNDONE_BY } from '@/lib/contract/operations';
import type { OperationRecord } from '@/lib/contract/verbs';
import { settings } from '../inspect/settings';
import { serverNow } from '../now';
import { sayable } from '../redis-errors';
import { inLanes } from '../sharded/fan-out';
import type { ShardedContext } from '../shards';
import { advanced, withCounts, withEvent } from './advance';
import type { Next } from './decide';
import { readOutcome } from './outcomes';
import { loadRecord, updateRecord } from './records';
import { arrived, type Run, readAssumed, totalsOf, unreadStates } from './run';
import { operationActor, specOf } from './spec';
import { forgetPlace, stopPlace } from './stop';

const PLACES_AT_ONCE = 8;

/** Every place is walked to its end. */
export async function finished(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  now: number,
): Promise<OperationRecord> {
  const undo = await undoOf(ctx, record, now);
  const outcome = await readOutcome(ctx, record, totalsOf(run).moved).catch(() => record.outcome);
  const deletes = record.kind === 'delete-queue';
  const ended = await updateRecord(
    ctx,
    record.id,
    (latest) => {
      if (latest.status !== 'running') return null;
      const done = withGone(advanced(latest, run, now, false));
      const ended: OperationRecord = {
        ...done,
        status: 'completed',
        endedAt: now,
        phase: null,
        trouble: null,
        runner: null,
        outcome,
        undo: done.moved > 0 ? undo : null,
      };
      return withEvent(ended, { at: now, what: 'completed', by: 'redrive', sentence: null });
    },
    // Of other kinds each queue says how they ended; of this one there is no queue left to say it.
    deletes
      ? (_, { moved }) => ({
          by: operationActor(record),
          action: 'operation.end',
          after: `ended: the queue is deleted with ${moved} jobs`,
          count: moved,
        })
      : undefined,
  );
  // What a shard keeps of it is all that is left there.
  if (deletes)
    await inLanes(record.places, PLACES_AT_ONCE, (place) =>
      forgetPlace(ctx, place, record.id).catch(() => undefined),
    );
  return ended;
}

/**
 * Those that matched at confirmation and were met nowhere had left their state before their turn came: moved and skipped
 * together are what was confirmed, so that each of them is accounted for.
 */
function withGone(record: OperationRecord): OperationRecord {
  const gone = record.estimated ? 0 : Math.max(0, record.expected - record.moved - record.skipped);
  if (gone === 0) return record;
  return {
    ...record,
    skipped: record.skipped + gone,
    skips: { ...record.skips, changed: (record.skips.changed ?? 0) + gone },
  };
}

/** It paused itself. */
export async function paused(
  ctx: ShardedContext,
  record: OperationRecord,
  run: Run,
  { by, sentence }: { by: Extract<Next, { act: 'pause' }>['by'] | 'rights'; sentence: string },
  now: number,
): Promise<OperationRecord> {
  await readAssumed(ctx, run);
  return updateRecord(
    ctx,
    record.id,
    (latest) => {
      // A person has changed what it was judged by.
      if (latest.status !== 'running' || latest.epoch !== run.epoch) return null;
      const next: OperationRecord = {
        ...advanced(latest, run, now, false),
        status: 'paused',
        paused: { by, at: now, sentence },
        runner: null,
      };
      return withEvent(next, { at: now, what: 'paused', by, sentence });
    },
    () => ({ by: { actor: 'redrive', reason: sentence }, action: 'operation.pause', after: by }),
  );
}

/** Somebody cancelled it: it is over once no place can go on with it. Places out of reach are told when they are back. */
export async function stopped(
  ctx: ShardedContext,
  record: OperationRecord,
  now: number,
): Promise<OperationRecord> {
  const states = unreadStates(record);
  let trouble: string | null = null;
  await inLanes(states, PLACES_AT_ONCE, async (state) => {
    try {
      arrived(state, await stopPlace(ctx, state.place, specOf(record)));
    } catch (error) {
      trouble = `${state.place.queue} does not answer, and has not heard of the cancellation yet: ${sayable(error)}`;
    }
  });
  const over = trouble === null;
  const undo = over ? await undoOf(ctx, record, now) : null;
  const outcome = over
    ? await readOutcome(ctx, record, totalsOf({ states }).moved).catch(() => record.outcome)
    : null;
  return updateRecord(ctx, record.id, (latest) => {
    if (latest.status !== 'running' && latest.status !== 'paused') return null;
    const counted = withCounts(latest, totalsOf({ states }));
    if (!over) return { ...counted, trouble };

    const ended: OperationRecord = {
      ...counted,
      status: 'cancelled',
      endedAt: now,
      phase: null,
      paused: null,
      trouble: null,
      runner: null,
      outcome,
      undo: counted.moved > 0 ? undo : null,
    };
    return withEvent(ended, {
      at: now,
      what: 'cancelled',
      by: latest.stopping?.by ?? 'redrive',
      sentence: null,
    });
  });
}

/**
 * Ends an operation that cannot go on, with the sentence that says why. Its places are told as after a cancellation: what is on its
 * way to another queue arrives, each queue's record says how it ended, and what was moved is counted to the last and can be undone.
 */
export async function failOperation(ctx: ShardedContext, id: string, error: string): Promise<void> {
  const now = await serverNow(ctx);
  const undo = await undoOf(ctx, await loadRecord(ctx, id), now);
  const failed = await updateRecord(ctx, id, (latest) =>
    latest.status === 'running'
      ? withEvent(
          {
            ...latest,
            status: 'failed',
            error: error.slice(0, 500),
            endedAt: now,
            phase: null,
            trouble: null,
            runner: null,
            undo: latest.moved > 0 ? undo : null,
          },
          { at: now, what: 'failed', by: 'redrive', sentence: error },
        )
      : null,
  );
  if (failed.status !== 'failed' || failed.kind === 'export') return;
  const states = unreadStates(failed);
  await inLanes(states, PLACES_AT_ONCE, async (state) => {
    // One that does not answer is left as it is: what is known of it stands in the record.
    const progress = await stopPlace(ctx, state.place, specOf(failed)).catch(() => null);
    if (progress) arrived(state, progress);
  });
  const totals = totalsOf({ states });
  const outcome = await readOutcome(ctx, failed, Math.max(failed.moved, totals.moved)).catch(
    () => failed.outcome,
  );
  await updateRecord(ctx, id, (latest) => {
    if (latest.status !== 'failed') return null;
    const counted = withCounts(latest, totals);
    return { ...counted, outcome, undo: counted.moved > 0 ? undo : null };
  });
}

/** What can take it back, and until when: what is in the trash stays there for the grace of its queue. */
export async function undoOf(
  ctx: ShardedContext,
  record: Pick<OperationRecord, 'kind' | 'places' | 'undoes'>,
  now: number,
): Promise<OperationRecord['undo']> {
  const kind: OperationKind | undefined = record.undoes === null ? UNDONE_BY[record.kind] : undefined;
  if (kind === undefined) return null;
  if (kind !== 'restore') return { kind, until: null };
  let graceMs = Number.POSITIVE_INFINITY;
  await inLanes([...new Set(record.places.map(({ name }) => name))], PLACES_AT_ONCE, async (name) => {
    // One that does not answer will say itself, when somebody restores, what is still there.
    const found = await settings(ctx, name).catch(() => null);
    if (found) graceMs = Math.min(graceMs, found.config.trashGraceMs);
  });
  return { kind, until: Number.isFinite(graceMs) ? now + graceMs : null };
}
