/**
 * Operations: bulk actions on dead letters, on a set frozen at confirmation (filter plus cut-off). The record lives outside
 * the queues; the progress in each shard lives in the shard and moves in the same script as its jobs, so the truth survives
 * the death of whoever runs it.
 */
import type { DeadFilter } from '@/lib/contract/dead';
import { RedriveError } from '@/lib/contract/errors';
import { type Operation, type OperationKind, operationSchema } from '@/lib/contract/operations';
import type { OperationRecord } from '@/lib/contract/verbs';
import { countDead } from '../dead/count';
import { deadQuery } from '../dead/filter';
import { idFrom, timeOrderedId } from '../id';
import { queueNames } from '../inspect/snapshot';
import { type Actor, actorNote } from '../note';
import { serverNow } from '../now';
import { list, text } from '../reply';
import { askPlaces, placesOf } from '../sharded/places';
import { onJobs } from '../sharded/triage';
import type { ShardedContext } from '../shards';
import { purge } from '../verbs/purge';
import { redrive } from '../verbs/redrive';
import { createRecord, loadRecord, updateRecord } from './records';

/** ≤ 100 jobs a step: each costs some dozen commands, and a step must stay well under 5 ms. */
const STEP_JOBS = 100;
/** Asked at a time when an operation is confirmed. */
const PLACES_AT_ONCE = 8;

export interface StartOperation {
  kind: OperationKind;
  filter?: Operation['filter'];
  jobs?: readonly { queue: string; jobId: string }[];
  cutoff?: number;
  /** Its `requestId`, when given, makes a resend find the operation that the first call started. */
  by: Actor & { reason: string };
}

/** Freezes the set and enters the operation; `stepOperation` works it off. Sent again, it finds the one already entered. */
export async function startOperation(ctx: ShardedContext, input: StartOperation): Promise<Operation> {
  const now = await serverNow(ctx);
  const id = `op-${input.by.requestId ? idFrom(input.by.requestId) : timeOrderedId(now)}`;
  const base = {
    id,
    kind: input.kind,
    actor: input.by.actor,
    reason: input.by.reason,
    createdAt: now,
    cutoff: Math.min(input.cutoff ?? now, now),
    scanned: 0,
    moved: 0,
    skipped: 0,
    error: null,
  };
  const record = input.jobs
    ? await selected(ctx, base, input.jobs)
    : await filtered(ctx, base, input.filter ?? {});
  if (await createRecord(ctx, record)) return operationSchema.parse(record);
  const existing = await loadRecord(ctx, id);
  if (intentOf(existing) === intentOf(record)) return operationSchema.parse(existing);
  throw new RedriveError(
    'ID_CONFLICT',
    'That Idempotency-Key was used for another operation. Use a new one for each intent.',
    { fields: [{ field: 'Idempotency-Key', message: 'belongs to another operation' }] },
  );
}

/** What two sendings of one request have in common. */
const intentOf = ({ kind, reason, filter, jobs }: OperationRecord): string =>
  JSON.stringify([kind, reason, filter, jobs]);

type Base = Omit<
  OperationRecord,
  'since' | 'queues' | 'jobs' | 'status' | 'filter' | 'selected' | 'endedAt' | 'expected' | 'estimated'
>;

/** Everything that matches, as of the cut-off: ages count back from there, as in the preview it was taken from. */
async function filtered(ctx: ShardedContext, base: Base, filter: DeadFilter): Promise<OperationRecord> {
  const places = await placesOf(ctx, filter.queue === undefined ? await queueNames(ctx) : [filter.queue]);
  const query = deadQuery(filter, base.cutoff);
  const { found, missing } = await askPlaces(places, PLACES_AT_ONCE, ({ name }) =>
    countDead(ctx, name, query),
  );
  return {
    ...base,
    cutoff: query.until,
    since: query.since,
    queues: places.map(({ name }) => name),
    jobs: null,
    status: 'running',
    filter,
    selected: null,
    endedAt: null,
    expected: found.reduce((sum, { value }) => sum + value.count, 0),
    estimated: missing.length > 0 || found.some(({ value }) => !value.exact),
  };
}

async function selected(
  ctx: ShardedContext,
  base: Base,
  jobs: readonly { queue: string; jobId: string }[],
): Promise<OperationRecord> {
  const places = await placesOf(ctx, [...new Set(jobs.map((job) => job.queue))]);
  return {
    ...base,
    since: 0,
    queues: places.map(({ name }) => name),
    // Queue by queue, so that a step is one call.
    jobs: [...jobs].sort((a, b) => (a.queue < b.queue ? -1 : a.queue > b.queue ? 1 : 0)),
    status: 'running',
    filter: null,
    selected: jobs.length,
    endedAt: null,
    expected: jobs.length,
    estimated: false,
  };
}

interface Sums {
  scanned: number;
  moved: number;
  skipped: number;
}

/** One step of a running operation; the returned record holds the counts so far. Any number of runners may step it. */
export async function stepOperation(ctx: ShardedContext, id: string): Promise<Operation> {
  const record = await loadRecord(ctx, id);
  if (record.status !== 'running') return operationSchema.parse(record);
  if (record.jobs !== null) return stepSelection(ctx, record, record.jobs);
  const { sums, open, stopped, trouble } = await stepPlaces(ctx, record);
  const now = await serverNow(ctx);
  const next = await updateRecord(ctx, id, (latest) => {
    // Another runner may have come further: counts only grow, and an operation that ended stays ended.
    if (latest.status !== 'running') return null;
    const counts = { ...latest, ...larger(latest, sums) };
    return open ? counts : { ...counts, status: stopped ? 'cancelled' : 'completed', endedAt: now };
  });
  // Said once nothing else is left to do: a shard that is out of reach must not keep the others waiting.
  if (trouble && !trouble.othersOpen) throw trouble.error;
  return operationSchema.parse(next);
}

const larger = (a: Sums, b: Sums): Sums => ({
  scanned: Math.max(a.scanned, b.scanned),
  moved: Math.max(a.moved, b.moved),
  skipped: Math.max(a.skipped, b.skipped),
});

async function stepPlaces(ctx: ShardedContext, record: OperationRecord) {
  const note = actorNote({ actor: record.actor, reason: record.reason, requestId: record.id });
  const [driver = 'class=', ...others] = deadQuery(record.filter ?? {}, record.cutoff).terms;
  const { id, kind, since, cutoff } = record;
  const sums: Sums = { scanned: 0, moved: 0, skipped: 0 };
  const args = [id, kind, since, cutoff, STEP_JOBS, note, driver, ...others];
  let [open, stopped] = [false, false];
  const errors: unknown[] = [];
  for (const name of record.queues) {
    try {
      const status = add(sums, await ctx.run('bulk-step', name, args), 'bulk-step');
      open ||= status === 'running';
      stopped ||= status === 'cancelled';
    } catch (error) {
      errors.push(error);
    }
  }
  const trouble = errors.length > 0 ? { error: errors[0], othersOpen: open } : null;
  // What was not reached is still to be done, unless somebody stopped it all.
  return { sums, open: open || (trouble !== null && !stopped), stopped, trouble };
}

function add(sums: Sums, reply: unknown, script: string): string {
  const [status, scanned, moved, skipped] = list(reply, script);
  sums.scanned += Number(scanned);
  sums.moved += Number(moved);
  sums.skipped += Number(skipped);
  return text(status);
}

/** The next of the ticked jobs. A step whose record is lost is done again; jobs it had moved then count as skipped. */
async function stepSelection(
  ctx: ShardedContext,
  record: OperationRecord,
  jobs: readonly { queue: string; jobId: string }[],
): Promise<Operation> {
  const queue = jobs[record.scanned]?.queue;
  const rest = jobs.slice(record.scanned);
  const end = rest.findIndex((job) => job.queue !== queue);
  const part = rest.slice(0, Math.min(STEP_JOBS, end < 0 ? rest.length : end));
  const verb = record.kind === 'redrive' ? redrive : purge;
  const by = { actor: record.actor, reason: record.reason, requestId: record.id };
  const outcomes =
    queue === undefined
      ? []
      : await onJobs(
          ctx,
          queue,
          part.map((job) => job.jobId),
          'The operation',
          (name, ids) => verb(ctx, name, ids, by, record.cutoff),
        );
  const moved = outcomes.filter((outcome) => outcome === 'ok').length;
  const now = await serverNow(ctx);
  const next = await updateRecord(ctx, record.id, (latest) => {
    // Another runner was faster with this part: its record stands.
    if (latest.status !== 'running' || latest.scanned !== record.scanned) return null;
    const scanned = record.scanned + part.length;
    const counts = {
      ...latest,
      scanned,
      moved: latest.moved + moved,
      skipped: latest.skipped + part.length - moved,
    };
    return scanned < jobs.length ? counts : { ...counts, status: 'completed', endedAt: now };
  });
  return operationSchema.parse(next);
}

/** Stops an operation: after this, no step moves anything. What was moved stays moved. */
export async function cancelOperation(ctx: ShardedContext, id: string): Promise<Operation> {
  const record = await loadRecord(ctx, id);
  if (record.status !== 'running') return operationSchema.parse(record);
  const sums: Sums = { scanned: 0, moved: 0, skipped: 0 };
  if (record.jobs === null) {
    const places = record.queues.map((name) => ({ queue: name, shard: 0, name }));
    const { found, missing } = await askPlaces(places, PLACES_AT_ONCE, ({ name }) =>
      ctx.run('bulk-stop', name, [id]),
    );
    for (const { value } of found) add(sums, value, 'bulk-stop');
    // Stopped where it could be; it is not over while it may go on elsewhere.
    if (missing[0]) throw missing[0].error;
  }
  const now = await serverNow(ctx);
  const next = await updateRecord(ctx, id, (latest) =>
    latest.status === 'running'
      ? { ...latest, ...larger(latest, sums), status: 'cancelled', endedAt: now }
      : null,
  );
  return operationSchema.parse(next);
}

/** Ends an operation that cannot go on, with the sentence that says why. */
export async function failOperation(ctx: ShardedContext, id: string, error: string): Promise<void> {
  const now = await serverNow(ctx);
  await updateRecord(ctx, id, (latest) =>
    latest.status === 'running'
      ? { ...latest, status: 'failed', error: error.slice(0, 500), endedAt: now }
      : null,
  );
}

/** @throws RedriveError OPERATION_NOT_FOUND */
export async function getOperation(ctx: ShardedContext, id: string): Promise<Operation> {
  return operationSchema.parse(await loadRecord(ctx, id));
}
