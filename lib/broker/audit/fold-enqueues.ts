/**
 * A program may enqueue over HTTP as often as it likes. So that it cannot push the log's history out, its events fold into one entry
 * a minute for each queue and user: the number of jobs, and the first and last request.
 */
import { changeText } from './change-text';
import type { EntryDraft, PendingEvent } from './pending-events';

const FOLDED: ReadonlySet<string> = new Set(['job.enqueue']);
const HELD_MS = 60_000;
/** For a user who enqueues into very many queues, beyond so many entries an hour. */
const LONG_HELD_MS = 600_000;
const OWNER_ENTRIES_MAX = 200;
const HOUR_MS = 3_600_000;
/** Not held any longer then: a stream has an end. */
export const FOLDED_EVENTS_MAX = 20_000;
/** So long a run is not read again with every nudge. */
const LONG_RECORDS = 200;
const SKIP_MS = 5_000;
const LONG_SKIP_MS = 60_000;
/** Told apart in one run: its entries go in by one script. */
const KINDS_MAX = 50;
/** What waited long, because no console ran, is not made one. */
const SPAN_MS = 2 * LONG_HELD_MS;
const IDS_MAX = 20;
/** Users by queue that are remembered; beyond that all are forgotten, which costs an entry each. */
const KNOWN_MAX = 10_000;

export const isFoldable = ({ draft }: PendingEvent): boolean =>
  FOLDED.has(draft.action) && draft.result === 'done';

/** Same queue, by the same user or token, signed in alike from the same address. */
const kindOf = ({ draft }: PendingEvent): string => {
  const { action, queue, shard, actor, actorId, method, via, address } = draft;
  return JSON.stringify([action, queue, shard, actor, actorId, method, via, address]);
};

interface Group {
  readonly owner: string | null;
  readonly first: EntryDraft;
  last: EntryDraft;
  records: number;
  count: number;
  readonly ids: string[];
}

/** A run of records that may be folded, without keeping all of them. */
export class FoldedEvents {
  private readonly groups = new Map<string, Group>();
  /** Up to which record of its stream it reaches. */
  last: PendingEvent | null = null;
  records = 0;

  /** By kind of event: the user its entry counts for. */
  get owners(): ReadonlyMap<string, string | null> {
    return new Map([...this.groups].map(([kind, { owner }]) => [kind, owner]));
  }

  /** False: begin another run with it. */
  add(record: PendingEvent): boolean {
    const { draft } = record;
    const kind = kindOf(record);
    let group = this.groups.get(kind);
    if (group ? draft.at - group.first.at > SPAN_MS : this.groups.size >= KINDS_MAX) return false;
    this.last = record;
    this.records += 1;
    if (!group) {
      group = { owner: record.owner, first: draft, last: draft, records: 0, count: 0, ids: [] };
      this.groups.set(kind, group);
    }
    group.last = draft;
    group.records += 1;
    group.count += draft.count ?? 1;
    for (const id of (draft.after ?? '').split(' '))
      if (group.ids.length < IDS_MAX && id !== '') group.ids.push(id);
    return true;
  }

  drafts(): EntryDraft[] {
    return [...this.groups.values()].map(({ first, last, records, count, ids }) =>
      records === 1
        ? first
        : {
            ...first,
            reason: first.reason === last.reason ? first.reason : null,
            count,
            after: changeText(
              JSON.stringify({
                records,
                firstRequestId: first.requestId,
                lastRequestId: last.requestId,
                lastAt: last.at,
                ids: ids.join(' '),
              }),
            ),
            source: last.source,
          },
    );
  }
}

/**
 * Remembers when each user last got an entry for enqueueing. Their next events wait in the stream for a minute, and longer for a user
 * with many entries within the hour.
 */
export class FoldBuffer {
  private readonly entered = new Map<string, number>();
  private readonly ofOwner = new Map<string, { sinceMs: number; entries: number }>();
  private readonly skippedUntil = new Map<string, number>();
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** All that waits in a source is this run. */
  holds(source: string, run: FoldedEvents): boolean {
    if (run.records >= FOLDED_EVENTS_MAX) return false;
    const now = this.nowMs();
    const isLong = [...run.owners.values()].every((owner) => this.leavesMany(owner));
    for (const [kind, owner] of run.owners) {
      const heldMs = this.leavesMany(owner) ? LONG_HELD_MS : HELD_MS;
      if ((this.entered.get(kind) ?? Number.NEGATIVE_INFINITY) <= now - heldMs) return false;
    }
    if (run.records > LONG_RECORDS) this.skippedUntil.set(source, now + (isLong ? LONG_SKIP_MS : SKIP_MS));
    return true;
  }

  /** A long run was found there a moment ago, and need not be read again yet. */
  skips(source: string): boolean {
    const untilMs = this.skippedUntil.get(source);
    if (untilMs === undefined) return false;
    if (this.nowMs() < untilMs) return true;
    this.skippedUntil.delete(source);
    return false;
  }

  remember(run: FoldedEvents): void {
    if (this.entered.size > KNOWN_MAX) this.entered.clear();
    if (this.ofOwner.size > KNOWN_MAX) this.ofOwner.clear();
    for (const [kind, owner] of run.owners) {
      this.entered.set(kind, this.nowMs());
      if (owner !== null) this.hourOf(owner).entries += 1;
    }
  }

  private leavesMany(owner: string | null): boolean {
    return owner !== null && this.hourOf(owner).entries >= OWNER_ENTRIES_MAX;
  }

  private hourOf(owner: string): { entries: number } {
    const now = this.nowMs();
    let hour = this.ofOwner.get(owner);
    if (!hour || now - hour.sinceMs >= HOUR_MS) {
      // Who left many goes on so, or each hour would begin with as many again.
      const entries =
        hour && hour.entries >= OWNER_ENTRIES_MAX && now - hour.sinceMs < 2 * HOUR_MS ? OWNER_ENTRIES_MAX : 0;
      hour = { sinceMs: now, entries };
      this.ofOwner.set(owner, hour);
    }
    return hour;
  }
}
