/**
 * How many entries the events of a queue may make that no console has paid for: of programs that use the library, and of others that may write
 * to the queue in Redis. Beyond that its events are counted and left out, so that such a writer pushes no history out of the log.
 */
import type { PaidEvents } from '@/lib/broker/access/change-shares';
import { parseJsonObject } from '@/lib/broker/redis/parse-json';
import { logEventDraft } from '../append-entries';
import type { LogHead } from '../log-head';
import type { EntryDraft } from '../pending-events';

export const UNPAID_AN_HOUR = 1_000;
/** Of all queues together: a writer may invent names of queues. */
export const UNPAID_OF_ALL = 5_000;
/** An entry beyond this size counts as several entries, so that a writer does not fill the log's memory either. */
const UNPAID_ENTRY_BYTES = 2_000;
const HOUR_MS = 3_600_000;
/** An entry says so in the moment that the first event is left out, and then so often. */
const SAY_EVERY_MS = 600_000;
/** Stands for all queues. */
export const ALL_QUEUES = '';

interface Room {
  /** Of the hour in which `unpaid` was counted. */
  readonly endsAt: number;
  readonly unpaid: number;
  /** What was used of the events that consoles paid for in the period that ends then. */
  readonly paidEndsAt: number;
  readonly paidUsed: number;
  /** Left out since the last entry that said so, with the ids of the first and last. */
  readonly left: number;
  /** How many of those left out were too large. */
  readonly tooLarge: number;
  readonly first: string;
  readonly last: string;
  readonly saidAt: number;
}
const EMPTY: Room = {
  endsAt: 0,
  unpaid: 0,
  paidEndsAt: 0,
  paidUsed: 0,
  left: 0,
  tooLarge: 0,
  first: '',
  last: '',
  saidAt: 0,
};

function readRoom(text: string | undefined, now: number): Room {
  const stored = parseJsonObject(text ?? '') ?? {};
  const entries = Object.entries(EMPTY).map(([field, empty]) => {
    const value = stored[field];
    return [field, typeof value === typeof empty ? value : empty];
  });
  const room = Object.fromEntries(entries) as Room;
  return room.endsAt > now ? room : { ...room, endsAt: now + HOUR_MS, unpaid: 0 };
}

export interface RoomLimits {
  /** Entries an hour without a payment, of one queue. */
  readonly each: number;
  /** The same of all queues together. */
  readonly all: number;
}

interface RoomEvents {
  readonly count: number;
  /** Ids of the first and last. */
  readonly first: string;
  readonly last: string;
}

/** How many entries of usual size they are. */
const sizeOf = (drafts: readonly EntryDraft[]): number =>
  drafts.reduce(
    (sum, draft) => sum + Math.ceil(Buffer.byteLength(JSON.stringify(draft)) / UNPAID_ENTRY_BYTES),
    0,
  );

export class SourceRooms {
  private readonly rooms = new Map<string, Room>();
  private readonly changed = new Set<string>();

  constructor(
    private readonly stored: ReadonlyMap<string, string>,
    private readonly paid: ReadonlyMap<string, PaidEvents>,
    private readonly now: number,
    private readonly limits: RoomLimits = { each: UNPAID_AN_HOUR, all: UNPAID_OF_ALL },
  ) {}

  /** Whether entries are made of the events of a queue; if not, the events are counted as left out. */
  admits(queue: string, drafts: readonly EntryDraft[], events: RoomEvents): boolean {
    const entries = drafts.length;
    const [room, all] = [this.paidRoom(queue), this.room(ALL_QUEUES)];
    const credit = Math.max(0, (this.paid.get(queue)?.events ?? 0) - room.paidUsed);
    const paidUsed = room.paidUsed + Math.min(entries, credit);
    const unpaid = entries <= credit ? 0 : sizeOf(drafts) - credit;
    const hasOwnRoom = room.unpaid + unpaid <= this.limits.each;
    if (unpaid === 0 || (hasOwnRoom && all.unpaid + unpaid <= this.limits.all)) {
      this.set(queue, { ...room, paidUsed, unpaid: room.unpaid + unpaid });
      if (unpaid > 0) this.set(ALL_QUEUES, { ...all, unpaid: all.unpaid + unpaid });
      return true;
    }
    if (hasOwnRoom) this.leaveOut(ALL_QUEUES, all, events);
    else this.leaveOut(queue, room, events);
    return false;
  }

  /** Counts an event that is too large as left out. `source`: a queue, or what stands in the braces of another stream's key. */
  refuseTooLarge(source: string, events: RoomEvents): void {
    const room = this.room(source);
    this.leaveOut(source, { ...room, tooLarge: room.tooLarge + events.count }, events);
  }

  private leaveOut(where: string, room: Room, { count, first, last }: RoomEvents): void {
    this.set(where, { ...room, left: room.left + count, first: room.left === 0 ? first : room.first, last });
  }

  /** What is to be said by now about events that were left out. */
  drafts(head: Pick<LogHead, 'n'>): EntryDraft[] {
    for (const queue of this.stored.keys()) this.room(queue);
    return [...this.rooms].flatMap(([queue, room]) => {
      if (room.left === 0 || room.saidAt > this.now - SAY_EVERY_MS) return [];
      this.set(queue, { ...room, left: 0, tooLarge: 0, first: '', last: '', saidAt: this.now });
      const { left: count, tooLarge, first, last } = room;
      const most = (queue === ALL_QUEUES ? this.limits.all : this.limits.each).toLocaleString('en-US');
      const whose = queue === ALL_QUEUES ? 'all queues' : queue;
      const whys = [
        ...(count > tooLarge
          ? [`Redis users wrote them past the consoles, which the log takes ${most} times an hour`]
          : []),
        ...(tooLarge > 0
          ? [
              `${tooLarge} of them had more than 64 KB, which Redrive never writes: find out which Redis user did`,
            ]
          : []),
      ];
      const after = `${count} records of ${whose}, ${first} to ${last}, were left out: ${whys.join('; ')}.`;
      const named = queue === ALL_QUEUES || queue.startsWith('.') ? null : queue;
      return [logEventDraft(head, { action: 'audit.left-out', queue: named, after, count }, this.now)];
    });
  }

  /** As they are to be stored, since the last call. */
  takeChanges(): Map<string, string> {
    const changes = new Map([...this.changed].map((queue) => [queue, JSON.stringify(this.room(queue))]));
    this.changed.clear();
    return changes;
  }

  private room(queue: string): Room {
    const room = this.rooms.get(queue) ?? readRoom(this.stored.get(queue), this.now);
    this.rooms.set(queue, room);
    return room;
  }

  /** What was paid for in an earlier period counts no more. */
  private paidRoom(queue: string): Room {
    const room = this.room(queue);
    const paidEndsAt = this.paid.get(queue)?.endsAt ?? 0;
    return paidEndsAt === room.paidEndsAt ? room : { ...room, paidEndsAt, paidUsed: 0 };
  }

  private set(queue: string, room: Room): void {
    this.rooms.set(queue, room);
    this.changed.add(queue);
  }
}
