/**
 * A program may enqueue over HTTP as often as it likes. So that it cannot push the log's history out, its events fold into one entry
 * a minute for each queue and user: the number of jobs, and the first and last request.
 */
import { changeText } from '../change-text';
import type { EntryDraft, PendingEvent } from '../pending-events';
import { FOLD_SPAN_MS, FoldTimes } from './fold-times';

const FOLDED: ReadonlySet<string> = new Set(['job.enqueue']);
/** Not held any longer then: a stream has an end. */
export const FOLDED_EVENTS_MAX = 20_000;
/** So long a run is not read again with every nudge. */
const LONG_RECORDS = 200;
const SKIP_MS = 5_000;
const LONG_SKIP_MS = 60_000;
/** Told apart in one run: its entries go in by one script. */
const KINDS_MAX = 50;
const IDS_MAX = 20;

export const isFoldable = ({ draft, isTooLarge }: PendingEvent): boolean =>
  !isTooLarge && FOLDED.has(draft.action) && draft.result === 'done';

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
  /** The id of its first record. */
  first = '';
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
    if (group ? draft.at - group.first.at > FOLD_SPAN_MS : this.groups.size >= KINDS_MAX) return false;
    this.last = record;
    if (this.records === 0) this.first = record.id;
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
  private readonly times: FoldTimes;
  private readonly skippedUntil = new Map<string, number>();
  constructor(private readonly nowMs: () => number = () => performance.now()) {
    this.times = new FoldTimes(nowMs);
  }

  /** All that waits in a source is this run. */
  holds(source: string, run: FoldedEvents): boolean {
    if (run.records >= FOLDED_EVENTS_MAX) return false;
    for (const [kind, owner] of run.owners) if (this.times.isDue(kind, owner)) return false;
    if (run.records > LONG_RECORDS) {
      const isLong = [...run.owners.values()].every((owner) => this.times.leavesMany(owner));
      this.skippedUntil.set(source, this.nowMs() + (isLong ? LONG_SKIP_MS : SKIP_MS));
    }
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
    for (const [kind, owner] of run.owners) this.times.remember(kind, owner);
  }
}
