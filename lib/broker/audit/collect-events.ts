/**
 * Carries pending audit events into the log. Any number of collectors may run, and die anywhere: one compare-and-set writes the entries
 * together with how far each stream was collected.
 */
import type { ShardedContext } from '../shards/sharded-context';
import { appendEntries, logEventDraft } from './append-entries';
import { type FoldBuffer, FoldedEvents, isFoldable } from './fold-enqueues';
import type { HashChain } from './hash-chain';
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
}

export interface CollectOptions {
  readonly thorough?: boolean;
  readonly queues?: readonly string[];
  readonly holding?: FoldBuffer;
  readonly after?: string | null;
}

/**
 * Ends after some hundred entries, so that the log can be trimmed before more come.
 * @param queues left out: all
 * @param thorough forgets what an earlier collector entered and had no time to forget
 * @param holding left out: nothing is held back to be entered with what follows it
 * @throws RedriveError WRONG_STATE when the log is keyed and the key is not known here
 */
export async function collectEvents(
  ctx: ShardedContext,
  chain: HashChain,
  { thorough = false, queues, holding, after = null }: CollectOptions = {},
): Promise<Collected> {
  const found = (await pendingStreams(ctx, queues)).filter(({ source }) => !holding?.skips(source));
  const behind = found.findIndex(({ source }) => source === after) + 1;
  // A stream that is always full keeps none of the others waiting.
  const all = [...found.slice(behind), ...found.slice(0, behind)];
  if (thorough) await turnKey(ctx, chain);
  const totals: Collected = { entered: 0, entries: 0, pending: 0, stoppedAfter: null, unread: [] };
  for (let i = 0; i < all.length; i += STREAMS_AT_ONCE) {
    const some = all.slice(i, i + STREAMS_AT_ONCE);
    totals.pending += await collectFrom(ctx, chain, some, thorough, holding, totals);
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
  thorough: boolean,
  holding: FoldBuffer | undefined,
  totals: Collected,
): Promise<number> {
  let rivals = 0;
  let left = some;
  let forget = thorough;
  for (;;) {
    // The head first: what a rival takes in between shows when this is appended.
    const { head, taken } = await readLogHead(
      ctx,
      left.map(({ source }) => source),
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
    if (waiting.length === 0) return 0;
    const steps = oldest(waiting, COLLECTION_ENTRIES - totals.entries);
    if (await enter(ctx, chain, head, steps)) {
      for (const { run, records, drafts } of steps) {
        totals.entered += records;
        totals.entries += drafts.length;
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

/** Entries and the records they come from: appended together. */
interface Step {
  readonly source: string;
  /** The last one it takes. */
  readonly record: PendingEvent;
  readonly records: number;
  readonly drafts: readonly EntryDraft[];
  readonly run: FoldedEvents | null;
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
): Promise<boolean> {
  let turned = await turnOfKey(ctx, chain, at);
  let head = at;
  for (const part of partsOf(steps)) {
    const next = await appendEntries(ctx, chain, head, {
      drafts: [...turned, ...part.flatMap(({ drafts }) => drafts)],
      taken: new Map(part.map(({ source, record }) => [source, record])),
    });
    if (next === null) return false;
    head = next;
    turned = [];
  }
  return true;
}

/** A step is never divided: its records are taken with its entries, or not at all. */
function partsOf(steps: readonly Step[]): Step[][] {
  const parts: Step[][] = [];
  let entries = ENTRIES_AT_ONCE;
  for (const step of steps) {
    if (entries >= ENTRIES_AT_ONCE) {
      parts.push([]);
      entries = 0;
    }
    parts.at(-1)?.push(step);
    entries += step.drafts.length;
  }
  return parts;
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
  const steps: Step[] = [];
  let run: FoldedEvents | null = null;
  const endRun = () => {
    if (run?.last) steps.push({ source, record: run.last, records: run.records, drafts: run.drafts(), run });
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
    const drafts =
      missing === 0 ? [record.draft] : [gapOf(head, source, queue, missing, record), record.draft];
    steps.push({ source, record, records: 1, drafts, run: null });
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
