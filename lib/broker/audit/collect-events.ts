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
  RECORDS_EACH,
  readPendingEvents,
  type UnreadStream,
  withEventsBehind,
} from './read-pending-events';

/** Streams read at a time, and entries a script: a log far behind must not fill this process, or stop Redis. */
const STREAMS_AT_ONCE = 64;
const ENTRIES_AT_ONCE = 100;
const RIVAL_TRIES = 5;
const ROUNDS_MAX = 200;

export interface Collected {
  entered: number;
  /** Entries of changes, by the user they count for. */
  readonly byOwner: Map<string, number>;
  /** Known to wait still. */
  pending: number;
  readonly unread: UnreadStream[];
}

/**
 * @param queues left out: all
 * @param thorough forgets what an earlier collector entered and had no time to forget
 * @param holding left out: nothing is held back to be entered with what follows it
 * @throws RedriveError WRONG_STATE when the log is keyed and the key is not known here
 */
export async function collectEvents(
  ctx: ShardedContext,
  chain: HashChain,
  {
    thorough = false,
    queues,
    holding,
  }: { thorough?: boolean; queues?: readonly string[]; holding?: FoldBuffer } = {},
): Promise<Collected> {
  const all = (await pendingStreams(ctx, queues)).filter(({ source }) => !holding?.skips(source));
  if (thorough) await turnKey(ctx, chain);
  const totals: Collected = { entered: 0, byOwner: new Map(), pending: 0, unread: [] };
  for (let i = 0; i < all.length; i += STREAMS_AT_ONCE)
    totals.pending += await collectFrom(
      ctx,
      chain,
      all.slice(i, i + STREAMS_AT_ONCE),
      thorough,
      holding,
      totals,
    );
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
  for (let round = 0; round < ROUNDS_MAX; round++) {
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
    if (await enter(ctx, chain, head, waiting)) {
      for (const { run, record, records } of waiting.flatMap(({ steps }) => steps)) {
        totals.entered += records;
        if (run) {
          holding?.remember(run);
          for (const owner of run.owners.values()) addEntry(totals, owner);
        } else if (isCharged(record)) addEntry(totals, record.owner);
      }
      rivals = 0;
    } else if (++rivals === RIVAL_TRIES) {
      // Another collector is at work, and will take these, too.
      return waiting.reduce((sum, { all }) => sum + all, 0);
    }
    // Once more: there may be more behind, and what was entered is forgotten by the reading.
    left = waiting.map(({ stream }) => stream);
    forget = true;
  }
  return RECORDS_EACH;
}

/** Refusals and sessions begun have bounds of their own. */
const isCharged = ({ draft }: PendingEvent): boolean =>
  draft.result === 'done' && draft.action !== 'session.begin';

function addEntry({ byOwner }: Collected, owner: string | null): void {
  if (owner !== null) byOwner.set(owner, (byOwner.get(owner) ?? 0) + 1);
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

/** All of them, oldest first, in as many scripts as it takes. False: a rival has appended meanwhile. */
async function enter(
  ctx: ShardedContext,
  chain: HashChain,
  at: LogHead,
  waiting: readonly Waiting[],
): Promise<boolean> {
  const steps = waiting.flatMap((one) => one.steps).sort((a, b) => timeOf(a) - timeOf(b));
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
