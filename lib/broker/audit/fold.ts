/**
 * Jobs enqueued over HTTP leave a record each, as often as a program likes. So that nobody can push the log's history out with them,
 * those that follow each other become one entry a minute for each who enqueues there: with how many jobs, and the first and last request.
 */
import { changeText } from './change-text';
import type { Draft, WaitingRecord } from './outboxes';

const FOLDED: ReadonlySet<string> = new Set(['job.enqueue']);
const HELD_MS = 60_000;
/** For a user who enqueues into very many queues, beyond so many entries an hour. */
const LONG_HELD_MS = 600_000;
const OWNER_ENTRIES_MAX = 200;
const HOUR_MS = 3_600_000;
/** Not held any longer then: an outbox has an end. */
export const HELD_RECORDS_MAX = 20_000;
/** So long a run is not read again with every nudge. */
const LONG_RECORDS = 200;
const REST_MS = 5_000;
const LONG_REST_MS = 60_000;
/** Told apart in one run: its entries go in by one script. */
const KINDS_MAX = 50;
/** What waited long, because no console ran, is not made one. */
const SPAN_MS = 2 * LONG_HELD_MS;
const IDS_MAX = 20;
/** Who enqueues where, told apart; more are forgotten together, which costs an entry each. */
const KNOWN_MAX = 10_000;

export const isFolded = ({ draft }: WaitingRecord): boolean =>
  FOLDED.has(draft.action) && draft.result === 'done';

/** Same queue, by the same person or token, come in the same way from the same place. */
const kindOf = ({ draft }: WaitingRecord): string => {
  const { action, queue, shard, actor, actorId, way, via, address } = draft;
  return JSON.stringify([action, queue, shard, actor, actorId, way, via, address]);
};

interface Group {
  readonly owner: string | null;
  readonly first: Draft;
  last: Draft;
  records: number;
  count: number;
  readonly ids: string[];
}

/** A run of records that may be folded, without keeping all of them. */
export class Run {
  private readonly groups = new Map<string, Group>();
  /** Up to which record of its outbox it reaches. */
  last: WaitingRecord | null = null;
  records = 0;

  /** Each kind of record in it, and whose share its entry takes. */
  get owners(): ReadonlyMap<string, string | null> {
    return new Map([...this.groups].map(([kind, { owner }]) => [kind, owner]));
  }

  /** False: it belongs into a run of its own. */
  add(record: WaitingRecord): boolean {
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

  drafts(): Draft[] {
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
 * Who enqueued where was entered when: what follows within a minute waits in its outbox, and becomes one entry. Of a user who has left many
 * entries within the hour it waits longer, so that a program with a hundred queues leaves no more in the log than people do.
 */
export class Holding {
  private readonly entered = new Map<string, number>();
  private readonly ofOwner = new Map<string, { sinceMs: number; entries: number }>();
  private readonly restingUntil = new Map<string, number>();
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** All that waits in a place is this run. */
  holds(place: string, run: Run): boolean {
    if (run.records >= HELD_RECORDS_MAX) return false;
    const now = this.nowMs();
    const isLong = [...run.owners.values()].every((owner) => this.leavesMany(owner));
    for (const [kind, owner] of run.owners) {
      const heldMs = this.leavesMany(owner) ? LONG_HELD_MS : HELD_MS;
      if ((this.entered.get(kind) ?? Number.NEGATIVE_INFINITY) <= now - heldMs) return false;
    }
    if (run.records > LONG_RECORDS) this.restingUntil.set(place, now + (isLong ? LONG_REST_MS : REST_MS));
    return true;
  }

  /** A long run was found there a moment ago, and need not be read again yet. */
  rests(place: string): boolean {
    const untilMs = this.restingUntil.get(place);
    if (untilMs === undefined) return false;
    if (this.nowMs() < untilMs) return true;
    this.restingUntil.delete(place);
    return false;
  }

  note(run: Run): void {
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
