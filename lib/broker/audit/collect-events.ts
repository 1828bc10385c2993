/**
 * Carries pending audit events into the log. Any number of collectors may run, and die anywhere: one compare-and-set writes the entries
 * together with how far each stream was collected.
 */
import { paidEvents } from '../access/change-shares';
import { serverNow } from '../redis/server-info';
import type { ShardedContext } from '../shards/sharded-context';
import { appendEntries, logEventDraft } from './append-entries';
import type { HashChain } from './hash-chain';
import { type FoldBuffer, FoldedEvents, isFoldable } from './intake/fold-enqueues';
import { ALL_QUEUES, type RoomLimits, SourceRooms } from './intake/source-rooms';
import { type CollectedUpTo, type LogHead, readLogHead } from './log-head';
import { turnKey, turnOfKey } from './log-key';
import { type EntryDraft, type PendingEvent, type PendingStream, pendingStreams } from './pending-events';
import {
  type PendingEvents,
  readPendingEvents,
  type UnreadStream,
  withEventsBehind,
} from './read-pending-events';

/** Streams read at a time, and entries a script: a log far behind must not fill this process, or stop Redis. */
const STREAMS_AT_ONCE = 64;
const ENTRIES_AT_ONCE = 100;
const RIVAL_TRIES = 5;
/** Then the caller trims the log, which must not outgrow its bound while more keeps coming. */
const COLLECTION_ENTRIES = 500;

export interface Collected {
  entered: number;
  /** In the log; of several events of enqueued jobs it is one. */
  entries: number;
  /** Known to wait still. */
  pending: number;
  /** The last stream that was read before it was enough, for the next collection to go on behind it; null: all were read. */
  stoppedAfter: string | null;
  readonly unread: UnreadStream[];
  /** Stream → how many of its events were too large, and left out. */
  readonly tooLarge: Map<string, number>;
}

export interface CollectOptions {
  readonly thorough?: boolean;
  readonly queues?: readonly string[];
  readonly holding?: FoldBuffer;
  readonly after?: string | null;
  /** Of events that no console has paid for. */
  readonly limits?: RoomLimits;
}

/**
 * Collects at most some hundred entries, so that the log is trimmed between collections.
 * @param queues default: all queues
 * @param thorough also deletes pending events that an earlier collector entered but did not delete
 * @param holding folds events of enqueued jobs across collections; without it each collection enters its own
 * @throws RedriveError WRONG_STATE when the log is keyed and the key is not known here
 */
export async function collectEvents(
  ctx: ShardedContext,
  chain: HashChain,
  { thorough = false, queues, holding, after = null, limits }: CollectOptions = {},
): Promise<Collected> {
  const found = (await pendingStreams(ctx, queues)).filter(({ source }) => !holding?.skips(source));
  const behind = found.findIndex(({ source }) => source === after) + 1;
  // A stream that is always full keeps none of the others waiting.
  const all = [...found.slice(behind), ...found.slice(0, behind)];
  if (thorough) await turnKey(ctx, chain);
  const totals: Collected = {
    entered: 0,
    entries: 0,
    pending: 0,
    stoppedAfter: null,
    unread: [],
    tooLarge: new Map(),
  };
  for (let i = 0; i < all.length; i += STREAMS_AT_ONCE) {
    const some = all.slice(i, i + STREAMS_AT_ONCE);
    totals.pending += await collectFrom(ctx, chain, some, { thorough, holding, limits }, totals);
    if (totals.entries < COLLECTION_ENTRIES) continue;
    totals.stoppedAfter = some.at(-1)?.source ?? null;
    // Those behind were not looked at.
    totals.pending = Math.max(1, totals.pending);
    break;
  }
  return totals;
}

/** Returns how many events still wait. */
async function collectFrom(
  ctx: ShardedContext,
  chain: HashChain,
  some: readonly PendingStream[],
  { thorough, holding, limits }: Pick<CollectOptions, 'thorough' | 'holding' | 'limits'>,
  totals: Collected,
): Promise<number> {
  let rivals = 0;
  let left = some;
  let forget = thorough === true;
  for (;;) {
    // The head first: what a rival takes in between shows when this is appended.
    const { head, taken, rooms } = await readLogHead(
      ctx,
      left.map(({ source }) => source),
      [...queuesOf(left), ...left.flatMap(({ source, queue }) => (queue === null ? source : []))],
    );
    const found = await readPendingEvents(ctx, left, taken, forget);
    totals.unread.push(...found.unread);
    const waiting: Waiting[] = [];
    for (const one of found.read) {
      if (one.records.length === 0) continue;
      const steps = await stepsOf(ctx, one, taken.get(one.stream.source), head);
      const [only] = steps;
      if (steps.length === 1 && only?.run && holding?.holds(one.stream.source, only.run)) continue;
      waiting.push({ ...one, steps });
    }
    if (waiting.length === 0 && rooms.size === 0) return 0;
    const paid = await paidEvents(
      ctx,
      queuesOf(
        waiting.map(({ stream }) => stream),
        false,
      ),
    );
    const sources = new SourceRooms(rooms, paid, await serverNow(ctx), limits);
    const steps = oldest(waiting, COLLECTION_ENTRIES - totals.entries);
    if (await enter(ctx, chain, head, steps, sources)) {
      if (waiting.length === 0) return 0;
      for (const { source, run, records, drafts, isTooLarge } of steps) {
        totals.entered += records;
        totals.entries += Math.max(1, drafts.length);
        if (isTooLarge) totals.tooLarge.set(source, (totals.tooLarge.get(source) ?? 0) + records);
        if (run) holding?.remember(run);
      }
      rivals = 0;
    } else if (++rivals === RIVAL_TRIES) {
      // Another collector is at work, and will take these, too.
      return waiting.reduce((sum, { all }) => sum + all, 0);
    }
    // Once more: there may be more behind, and what was entered is forgotten by the reading.
    left = waiting.map(({ stream }) => stream);
    forget = true;
    if (totals.entries >= COLLECTION_ENTRIES) {
      const taken = steps.reduce((sum, { records }) => sum + records, 0);
      return Math.max(0, waiting.reduce((sum, { all }) => sum + all, 0) - taken);
    }
  }
}

/** The queues of streams, and what stands for all of them. */
function queuesOf(streams: readonly PendingStream[], withAll = true): string[] {
  const queues = new Set(streams.flatMap(({ queue }) => queue ?? []));
  return [...queues, ...(withAll && queues.size > 0 ? [ALL_QUEUES] : [])];
}

/** Entries and the records they come from: appended together. */
interface Step {
  readonly source: string;
  readonly queue: string | null;
  /** The first one it takes, and the last. */
  readonly from: string;
  readonly record: PendingEvent;
  readonly records: number;
  readonly drafts: readonly EntryDraft[];
  readonly run: FoldedEvents | null;
  /** Its record is left out. */
  readonly isTooLarge: boolean;
}

interface Waiting extends PendingEvents {
  readonly steps: readonly Step[];
}

/** The oldest of all streams, up to so many entries: of each stream its first ones. */
function oldest(waiting: readonly Waiting[], most: number): Step[] {
  const steps = waiting.flatMap((one) => one.steps).sort((a, b) => timeOf(a) - timeOf(b));
  let entries = 0;
  return steps.filter(({ drafts }) => {
    const fits = entries < most;
    entries += drafts.length;
    return fits;
  });
}

/** In as many scripts as it takes. False: a rival has appended meanwhile. */
async function enter(
  ctx: ShardedContext,
  chain: HashChain,
  at: LogHead,
  steps: readonly Step[],
  rooms: SourceRooms,
): Promise<boolean> {
  let head = at;
  let drafts: EntryDraft[] = await turnOfKey(ctx, chain, at);
  let taken = new Map<string, CollectedUpTo>();
  const append = async (): Promise<boolean> => {
    drafts.push(...rooms.drafts(head));
    if (drafts.length === 0 && taken.size === 0) return true;
    const next = await appendEntries(ctx, chain, head, { drafts, taken, rooms: rooms.takeChanges() });
    [drafts, taken] = [[], new Map()];
    head = next ?? head;
    return next !== null;
  };
  // A step is never divided: its records are taken with its entries, or not at all.
  for (const { source, queue, from, record, records, drafts: own, isTooLarge } of steps) {
    const events = { count: records, first: `${source} ${from}`, last: `${source} ${record.id}` };
    if (isTooLarge) rooms.refuseTooLarge(queue ?? source, events);
    if (queue === null || own.length === 0 || rooms.admits(queue, own, events)) drafts.push(...own);
    taken.set(source, record);
    if (drafts.length >= ENTRIES_AT_ONCE && !(await append())) return false;
  }
  return append();
}

/** By the ids Redis gave them: of one stream they only grow, so its records stay in their order. */
const timeOf = ({ record }: Step): number => Number(record.id.split('-', 1)[0]);

/** A stream counts its records: one that does not follow its predecessor tells of others that are gone. */
async function stepsOf(
  ctx: ShardedContext,
  found: PendingEvents,
  taken: CollectedUpTo | undefined,
  head: LogHead,
): Promise<Step[]> {
  const { source, queue } = found.stream;
  const of = { source, queue };
  const steps: Step[] = [];
  let run: FoldedEvents | null = null;
  const endRun = () => {
    if (run?.last)
      steps.push({
        ...of,
        from: run.first,
        record: run.last,
        records: run.records,
        drafts: run.drafts(),
        run,
        isTooLarge: false,
      });
    run = null;
  };
  let last = taken?.count ?? 0;
  for await (const record of withEventsBehind(ctx, found)) {
    const missing = record.count - last - 1;
    last = record.count;
    if (missing === 0 && isFoldable(record)) {
      run ??= new FoldedEvents();
      if (run.add(record)) continue;
      endRun();
      run = new FoldedEvents();
      run.add(record);
      continue;
    }
    endRun();
    const { isTooLarge } = record;
    const drafts = [
      ...(missing === 0 ? [] : [gapOf(head, source, queue, missing, record)]),
      ...(isTooLarge ? [] : [record.draft]),
    ];
    steps.push({ ...of, from: record.id, record, records: 1, drafts, run: null, isTooLarge });
  }
  endRun();
  return steps;
}

function gapOf(
  head: LogHead,
  source: string,
  queue: string | null,
  missing: number,
  { draft }: PendingEvent,
): EntryDraft {
  const after =
    missing > 0
      ? `${missing} records of ${source} were lost before they came into the log: no console collected them in time, or they were deleted.`
      : `The pending audit events of ${source} began anew: those that were not yet in the log are lost.`;
  return logEventDraft(
    head,
    { action: 'audit.gap', queue, after, count: missing > 0 ? missing : null },
    draft.at,
  );
}
