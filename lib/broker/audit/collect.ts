/**
 * Carries records from the outboxes into the audit log. Any number of collectors may, and any may die anywhere: what was taken is noted
 * with what was entered, by compare-and-set, so that no record is lost and none is entered twice.
 */
import { RedriveError } from '@/lib/contract/errors';
import { serverNow } from '../now';
import { list } from '../reply';
import { evalMany } from '../script';
import type { ShardedContext } from '../shards';
import { append, ownDraft } from './append';
import type { Chain } from './chain';
import { HELD_RECORDS_MAX, type Holding, isFolded, Run } from './fold';
import { type Head, readHead, type Taken } from './head';
import { type Draft, type Outbox, outboxes, readRecord, type WaitingRecord } from './outboxes';

/** Outboxes read at a time, records of each, and entries a script: a log far behind must not fill this process, or stop Redis. */
const OUTBOXES_AT_ONCE = 64;
const RECORDS_EACH = 50;
const READ_ON_RECORDS = 200;
const ENTRIES_AT_ONCE = 100;
const RIVAL_TRIES = 5;
const ROUNDS_MAX = 200;

export interface Collected {
  readonly entered: number;
  /** Entries of changes, by the user whose share they take. */
  readonly byOwner: ReadonlyMap<string, number>;
  /** Known to wait still. */
  readonly pending: number;
  /** Outboxes that did not answer: asked again next time. */
  readonly unread: readonly { readonly place: string; readonly error: unknown }[];
}

/**
 * @param queues left out: all
 * @param thorough forgets what an earlier collector entered and had no time to forget
 * @param holding left out: nothing is held back to be entered with what follows it
 * @throws RedriveError WRONG_STATE when the log is keyed and the key is not known here
 */
export async function collectAudit(
  ctx: ShardedContext,
  chain: Chain,
  {
    thorough = false,
    queues,
    holding,
  }: { thorough?: boolean; queues?: readonly string[]; holding?: Holding } = {},
): Promise<Collected> {
  const all = (await outboxes(ctx, queues)).filter(({ place }) => !holding?.rests(place));
  let [entered, pending] = [0, 0];
  if (thorough) await turnKey(ctx, chain);
  const byOwner = new Map<string, number>();
  const unread: Collected['unread'][number][] = [];
  for (let i = 0; i < all.length; i += OUTBOXES_AT_ONCE) {
    const done = await collectFrom(ctx, chain, all.slice(i, i + OUTBOXES_AT_ONCE), thorough, holding);
    entered += done.entered;
    pending += done.pending;
    for (const [owner, count] of done.byOwner) addTo(byOwner, owner, count);
    unread.push(...done.unread);
  }
  return { entered, byOwner, pending, unread };
}

async function collectFrom(
  ctx: ShardedContext,
  chain: Chain,
  some: readonly Outbox[],
  thorough: boolean,
  holding: Holding | undefined,
): Promise<Collected> {
  let [entered, rivals] = [0, 0];
  const byOwner = new Map<string, number>();
  const unread: Collected['unread'][number][] = [];
  let left = some;
  let forget = thorough;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    // The head first: what a rival takes in between shows when this is appended.
    const { head, taken } = await readHead(
      ctx,
      left.map(({ place }) => place),
    );
    const found = await readOutboxes(ctx, left, taken, forget);
    unread.push(...found.unread);
    const waiting: Waiting[] = [];
    for (const one of found.read) {
      if (one.records.length === 0) continue;
      const steps = await stepsOf(ctx, one, taken.get(one.outbox.place), head);
      const [only] = steps;
      if (steps.length === 1 && only?.run && holding?.holds(one.outbox.place, only.run)) continue;
      waiting.push({ ...one, steps });
    }
    if (waiting.length === 0) return { entered, byOwner, pending: 0, unread };
    if (await enter(ctx, chain, head, waiting)) {
      for (const { run, record, records } of waiting.flatMap(({ steps }) => steps)) {
        entered += records;
        if (run) {
          holding?.note(run);
          for (const owner of run.owners.values()) addTo(byOwner, owner, 1);
        } else if (isCharged(record)) addTo(byOwner, record.owner, 1);
      }
      rivals = 0;
    } else if (++rivals === RIVAL_TRIES) {
      // Somebody else is at it, and will come to these, too.
      return { entered, byOwner, pending: waiting.reduce((sum, { all }) => sum + all, 0), unread };
    }
    // Once more: there may be more behind, and what was entered is forgotten by the reading.
    left = waiting.map(({ outbox }) => outbox);
    forget = true;
  }
  return { entered, byOwner, pending: RECORDS_EACH, unread };
}

/** Refusals and sessions begun have bounds of their own. */
const isCharged = ({ draft }: WaitingRecord): boolean =>
  draft.result === 'done' && draft.action !== 'session.begin';

function addTo(counts: Map<string, number>, owner: string | null, count: number): void {
  if (owner !== null) counts.set(owner, (counts.get(owner) ?? 0) + count);
}

interface Found {
  readonly outbox: Outbox;
  readonly records: readonly WaitingRecord[];
  /** How many wait, these included. */
  readonly all: number;
}

async function readOutboxes(
  ctx: ShardedContext,
  some: readonly Outbox[],
  taken: ReadonlyMap<string, Taken>,
  forget: boolean,
): Promise<{ read: Found[]; unread: Collected['unread'] }> {
  const settled = await evalMany(
    ctx,
    some.map(({ place, call }) => ({
      script: 'audit-read',
      ...call,
      args: [taken.get(place)?.id ?? '', RECORDS_EACH, forget ? 1 : 0],
    })),
  );
  const read: Found[] = [];
  const unread: Collected['unread'][number][] = [];
  some.forEach((outbox, i) => {
    const one = settled[i];
    if (one?.status !== 'fulfilled') {
      unread.push({ place: outbox.place, error: one?.reason });
      return;
    }
    const [records, all] = list(one.value, 'audit-read');
    read.push({
      outbox,
      records: list(records, 'audit-read').map((record) => readRecord(outbox, record)),
      all: Number(all),
    });
  });
  return { read, unread };
}

/** What is entered and taken together. */
interface Step {
  readonly place: string;
  /** The last one it takes. */
  readonly record: WaitingRecord;
  readonly records: number;
  readonly drafts: readonly Draft[];
  readonly run: Run | null;
}

interface Waiting extends Found {
  readonly steps: readonly Step[];
}

/** All of them, oldest first, in as many scripts as it takes. False: a rival has appended meanwhile. */
async function enter(
  ctx: ShardedContext,
  chain: Chain,
  at: Head,
  waiting: readonly Waiting[],
): Promise<boolean> {
  const steps = waiting.flatMap((one) => one.steps).sort((a, b) => timeOf(a) - timeOf(b));
  let turned = await turnOfKey(ctx, chain, at);
  let head = at;
  for (const part of partsOf(steps)) {
    const next = await append(ctx, chain, head, {
      drafts: [...turned, ...part.flatMap(({ drafts }) => drafts)],
      taken: new Map(part.map(({ place, record }) => [place, record])),
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

/** By the ids Redis gave them: of one outbox they only grow, so its records stay in their order. */
const timeOf = ({ record }: Step): number => Number(record.id.split('-', 1)[0]);

/** What was read of an outbox; and while it is only what becomes one entry, what stands behind that, too. */
async function* readingOn(
  ctx: ShardedContext,
  { outbox, records, all }: Found,
): AsyncGenerator<WaitingRecord> {
  yield* records;
  let [chunk, read] = [records, records.length];
  while (read < Math.min(all, HELD_RECORDS_MAX) && chunk.every(isFolded)) {
    const after = chunk.at(-1)?.id ?? '';
    const reply = await ctx.run('audit-read', outbox.call.queue, [after, READ_ON_RECORDS, 0], {
      index: outbox.call.index,
    });
    const [next] = list(reply, 'audit-read');
    chunk = list(next, 'audit-read').map((record) => readRecord(outbox, record));
    if (chunk.length === 0) return;
    read += chunk.length;
    yield* chunk;
  }
}

/** An outbox counts its records: one that does not follow its predecessor tells of others that are gone. */
async function stepsOf(
  ctx: ShardedContext,
  found: Found,
  taken: Taken | undefined,
  head: Head,
): Promise<Step[]> {
  const { place, queue } = found.outbox;
  const steps: Step[] = [];
  let run: Run | null = null;
  const endRun = () => {
    if (run?.last) steps.push({ place, record: run.last, records: run.records, drafts: run.drafts(), run });
    run = null;
  };
  let last = taken?.count ?? 0;
  for await (const record of readingOn(ctx, found)) {
    const missing = record.count - last - 1;
    last = record.count;
    if (missing === 0 && isFolded(record)) {
      run ??= new Run();
      if (run.add(record)) continue;
      endRun();
      run = new Run();
      run.add(record);
      continue;
    }
    endRun();
    const drafts =
      missing === 0 ? [record.draft] : [gapOf(head, place, queue, missing, record), record.draft];
    steps.push({ place, record, records: 1, drafts, run: null });
  }
  endRun();
  return steps;
}

function gapOf(
  head: Head,
  place: string,
  queue: string | null,
  missing: number,
  { draft }: WaitingRecord,
): Draft {
  const after =
    missing > 0
      ? `${missing} records of ${place} were lost before they came into the log: nobody carried them over in time, or they were deleted.`
      : `The outbox of ${place} began anew: what was in it and not yet in the log is lost.`;
  return ownDraft(head, { action: 'audit.gap', queue, after, count: missing > 0 ? missing : null }, draft.at);
}

/** A new key is entered at once, so that a log which should be keyed can be told from one that somebody wrote without the key. */
async function turnKey(ctx: ShardedContext, chain: Chain): Promise<void> {
  const { head } = await readHead(ctx);
  const drafts = await turnOfKey(ctx, chain, head);
  if (drafts.length > 0) await append(ctx, chain, head, { drafts });
}

/** The first entry under another key says so. @throws RedriveError WRONG_STATE */
async function turnOfKey(ctx: ShardedContext, chain: Chain, head: Head): Promise<Draft[]> {
  if (head.key === chain.keyName) return [];
  if (head.key !== '' && !chain.knows(head.key))
    throw new RedriveError(
      'WRONG_STATE',
      chain.keyName === ''
        ? 'The audit log is keyed, and this console has no REDRIVE_AUDIT_KEY. Give it the key of the others; until then it enters nothing, and records wait.'
        : 'The audit log is kept under another key than REDRIVE_AUDIT_KEY of this console. To change keys, give the new one and, on the next line of the file, the old one.',
    );
  const [before, after] = [head.key || 'none', chain.keyName];
  return [ownDraft(head, { action: 'audit.key', before, after }, await serverNow(ctx))];
}
