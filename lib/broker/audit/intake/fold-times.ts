/** When events of enqueued jobs become an entry of the log: the collector enters by these times, and users pay by them. */
import { LRUCache } from 'lru-cache';

const HELD_MS = 60_000;
/** For a user who enqueues into very many queues, beyond so many entries an hour. */
const LONG_HELD_MS = 600_000;
const OWNER_ENTRIES_MAX = 200;
const HOUR_MS = 3_600_000;
/** A kind that is forgotten beyond this number costs an entry. */
const KNOWN_MAX = 50_000;
/** What waited long, because no console ran, is not made one entry. */
export const FOLD_SPAN_MS = 2 * LONG_HELD_MS;

interface Hour {
  readonly sinceMs: number;
  entries: number;
}

/** The next events of a kind wait for a minute, and longer if their user has many entries within the hour. */
export class FoldTimes {
  private readonly entered = new LRUCache<string, number>({ max: KNOWN_MAX });
  private readonly ofOwner = new LRUCache<string, Hour>({ max: KNOWN_MAX });
  constructor(readonly nowMs: () => number = () => performance.now()) {}

  /** @param sinceMs what was entered before that time does not count: something else has happened in between */
  isDue(kind: string, owner: string | null, sinceMs = Number.NEGATIVE_INFINITY): boolean {
    const heldMs = this.leavesMany(owner) ? LONG_HELD_MS : HELD_MS;
    const atMs = this.entered.get(kind) ?? Number.NEGATIVE_INFINITY;
    return atMs <= this.nowMs() - heldMs || atMs < sinceMs;
  }

  remember(kind: string, owner: string | null): void {
    this.entered.set(kind, this.nowMs());
    if (owner !== null) this.hourOf(owner).entries += 1;
  }

  forget(kind: string): void {
    this.entered.delete(kind);
  }

  leavesMany(owner: string | null): boolean {
    return owner !== null && this.hourOf(owner).entries >= OWNER_ENTRIES_MAX;
  }

  private hourOf(owner: string): Hour {
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
