/**
 * Refused requests in the audit log: the first of a kind at once, its repeats as one count a minute. So refusals cannot flood the log, and
 * none is lost. A failed write does not change the refusal.
 */
import type { Actor, AuditEvent } from '@/lib/broker';
import type { ErrorCode } from '@/lib/contract/redrive-error';
import { HOUR_MS } from '@/lib/contract/time-units';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { networkOf } from '../http/client-network';
import { singleton } from '../singleton';
import { getAuditCollector } from './audit-collector';

const REPEATS_EVERY_MS = 60_000;
/** Kinds of one user's attempts that are recorded at once; further kinds are counted together under the user. */
const IN_MINUTE_MAX = 30;
const IN_HOUR_MAX = 300;
/** Without a session, from one network (an IPv4 address, or a /64 of IPv6) … */
const NETWORK_IN_MINUTE_MAX = 5;
const NETWORK_IN_HOUR_MAX = 20;
/** … and from all networks together: addresses cost nothing. */
const NETWORKS_IN_MINUTE_MAX = 10;
const NETWORKS_IN_HOUR_MAX = 60;
/** Users and networks that are counted apart, each with its own bound. */
const OWNERS_MAX = 1_000;
const NETWORKS_MAX = 200;
const OBJECTS_MAX = 20;

/** At most `inHour` first attempts an hour, as many counts of repeats, and one count a minute of the rest. */
const inDay = (inHour: number): number => 24 * (2 * inHour + HOUR_MS / REPEATS_EVERY_MS);
/** Audit events a day that refusals can make in one console: of one user, and of all who have no session together. */
export const REFUSALS_A_DAY = { user: inDay(IN_HOUR_MAX), networks: inDay(NETWORKS_IN_HOUR_MAX) } as const;

type Refused = AuditEvent & {
  readonly code: ErrorCode;
  /** Without a session: counted by network, whatever user name was tried. */
  readonly isStranger?: boolean;
};

interface Repeats {
  readonly note: AuditEvent;
  readonly by: Actor;
  count: number;
  last: string;
  /** The objects it was tried on, up to a bound. */
  readonly objects: Set<string>;
}

/** Attempts of one user with all their tokens, or of one network without a session. */
interface Owner {
  readonly by: Actor;
  readonly isNetwork: boolean;
  readonly sinceMs: number;
  /** Recorded at once within this minute, and within this hour. */
  inMinute: number;
  inHour: number;
  readonly repeats: Map<string, Repeats>;
  readonly beyond: Map<ErrorCode, number>;
}

export class RefusalLog {
  private readonly owners = new Map<string, Owner>();
  private networkCount = 0;
  /** Recorded of all networks together. */
  private readonly ofNetworks = { inMinute: 0, inHour: 0, sinceMs: 0 };
  /** Of owners beyond the bound, and of networks beyond their share. */
  private readonly beyond = new Map<ErrorCode, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly enter: (note: AuditEvent, by: Actor) => Promise<void>) {}

  get size(): number {
    return this.owners.size;
  }

  /** Resolves when the refusal is recorded or counted. Never rejects. */
  async add({ isStranger, ...note }: Refused, by: Actor): Promise<void> {
    this.arm();
    const owner = this.ownerOf(by, isStranger);
    if (owner === null) {
      bump(this.beyond, note.code);
      return;
    }
    const key = JSON.stringify([by.actorId ?? by.actor, note.action, note.code]);
    const known = owner.repeats.get(key);
    if (known) {
      known.count += 1;
      known.last = objectText(note);
      if (known.objects.size <= OBJECTS_MAX) known.objects.add(known.last);
      return;
    }
    if (!this.mayEnter(owner)) {
      bump(owner.beyond, note.code);
      return;
    }
    const first = objectText(note);
    owner.repeats.set(key, { note, by, count: 0, last: first, objects: new Set([first]) });
    await this.write({ ...note, count: 1 }, by);
  }

  private ownerOf(by: Actor, isStranger: boolean | undefined): Owner | null {
    const id = by.ownerId ?? by.actorId;
    const isNetwork = isStranger === true || id === undefined;
    const key = isNetwork ? `at ${networkOf(by.address ?? '')}` : `of ${id}`;
    const known = this.owners.get(key);
    if (known) return known;
    // Networks never take the room of signed-in users.
    if (isNetwork ? this.networkCount >= NETWORKS_MAX : this.owners.size - this.networkCount >= OWNERS_MAX)
      return null;
    const owner: Owner = {
      by,
      isNetwork,
      sinceMs: Date.now(),
      inMinute: 0,
      inHour: 0,
      repeats: new Map(),
      beyond: new Map(),
    };
    this.owners.set(key, owner);
    if (isNetwork) this.networkCount += 1;
    return owner;
  }

  private mayEnter(owner: Owner): boolean {
    const [inMinuteMax, inHourMax] = owner.isNetwork
      ? [NETWORK_IN_MINUTE_MAX, NETWORK_IN_HOUR_MAX]
      : [IN_MINUTE_MAX, IN_HOUR_MAX];
    if (owner.inMinute >= inMinuteMax || owner.inHour >= inHourMax) return false;
    if (owner.isNetwork && !this.networksMayEnter()) return false;
    owner.inMinute += 1;
    owner.inHour += 1;
    return true;
  }

  private networksMayEnter(): boolean {
    const { ofNetworks } = this;
    const now = Date.now();
    if (now - ofNetworks.sinceMs >= HOUR_MS) Object.assign(ofNetworks, { inHour: 0, sinceMs: now });
    if (ofNetworks.inMinute >= NETWORKS_IN_MINUTE_MAX || ofNetworks.inHour >= NETWORKS_IN_HOUR_MAX)
      return false;
    ofNetworks.inMinute += 1;
    ofNetworks.inHour += 1;
    return true;
  }

  /** Records the counts since the last flush, and starts over. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.ofNetworks.inMinute = 0;
    const writes: [AuditEvent, Actor][] = [];
    for (const [key, owner] of this.owners) {
      for (const { note, by, count, last, objects } of owner.repeats.values())
        if (count > 0) writes.push([{ ...note, count, after: repeatsText(last, objects) }, by]);
      if (owner.isNetwork) for (const [code, count] of owner.beyond) bump(this.beyond, code, count);
      else if (owner.beyond.size > 0) writes.push([beyondNote(owner.beyond), unnamed(owner.by)]);
      owner.repeats.clear();
      owner.beyond.clear();
      owner.inMinute = 0;
      // Owners stay for the hour of their count, or each minute would start a new one.
      const isOver = Date.now() - owner.sinceMs >= HOUR_MS;
      if (!isOver && owner.inHour > 0) continue;
      this.owners.delete(key);
      if (owner.isNetwork) this.networkCount -= 1;
    }
    if (this.beyond.size > 0) writes.push([beyondNote(this.beyond), { actor: 'redrive' }]);
    this.beyond.clear();
    for (const [note, by] of writes) await this.write(note, by);
  }

  private arm(): void {
    if (this.timer) return;
    this.timer = setTimeout(() => void this.flush(), REPEATS_EVERY_MS);
    this.timer.unref();
  }

  private async write(note: AuditEvent, by: Actor): Promise<void> {
    try {
      await this.enter({ ...note, result: 'refused' }, by);
    } catch (error) {
      log().warn(
        { err: error, action: note.action, code: note.code, by: by.actorId ?? by.address, count: note.count },
        'a refused attempt could not be entered in the audit log',
      );
    }
  }
}

const bump = (counts: Map<ErrorCode, number>, code: ErrorCode, by = 1): void => {
  counts.set(code, (counts.get(code) ?? 0) + by);
};

const objectText = ({ object, queue }: AuditEvent): string =>
  [queue, object && object.id !== queue ? `${object.kind} ${object.id}` : null].filter(Boolean).join(': ');

const repeatsText = (last: string, objects: ReadonlySet<string>): string | undefined =>
  last === '' && objects.size <= 1
    ? undefined
    : JSON.stringify({
        last,
        objects: objects.size > OBJECTS_MAX ? `more than ${OBJECTS_MAX}` : objects.size,
      });

/** The request id of the first attempt says nothing of the others. */
const unnamed = ({ requestId: _, ...by }: Actor): Actor => by;

function beyondNote(counts: ReadonlyMap<ErrorCode, number>): AuditEvent {
  const byCount = [...counts].sort((a, b) => b[1] - a[1]);
  return {
    action: 'audit.refusals',
    code: byCount[0]?.[0],
    count: byCount.reduce((sum, [, count]) => sum + count, 0),
    after: JSON.stringify({ 'attempts of further kinds': Object.fromEntries(byCount) }),
  };
}

export const getRefusalLog = singleton(
  'audit-refusals',
  () =>
    new RefusalLog(async (note, by) => {
      await getBroker().audit.note(note, by);
      getAuditCollector().nudge();
    }),
);
