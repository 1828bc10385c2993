/**
 * Refused attempts, entered in the audit log: the first of a kind at once, its repeats counted and entered once a minute. So nobody can
 * fill the log by knocking, and nobody's knocking goes unseen. Should it not be written, the refusal stands all the same.
 */
import type { Actor, AuditNote } from '@/lib/broker';
import { ERROR_TABLE, type ErrorCode, RedriveError } from '@/lib/contract/errors';
import { actorOf, type Principal } from './access/principal';
import { type Attempt, attemptOf } from './audit-actions';
import { getAuditCollector } from './audit-collector';
import { addressOf, placeOf } from './border';
import { getBroker } from './broker';
import { log } from './log';
import { singleton } from './singleton';

const REPEATS_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Kinds of attempts of one person that are entered at once; what is beyond is counted together, under their name. */
const IN_MINUTE_MAX = 30;
const IN_HOUR_MAX = 300;
/** Without a session, from one place (an IPv4 address, or a /64 of IPv6) … */
const PLACE_IN_MINUTE_MAX = 5;
const PLACE_IN_HOUR_MAX = 20;
/** … and from all places together: addresses cost nothing. */
const PLACES_IN_MINUTE_MAX = 10;
const PLACES_IN_HOUR_MAX = 60;
/** Told apart; the signed-in have their room to themselves. */
const OWNERS_MAX = 1_000;
const PLACES_MAX = 200;
const OBJECTS_MAX = 20;

/** In a day at most so many times `inHour` first attempts, as many counts of their repeats, and one count a minute of what is beyond. */
const inDay = (inHour: number): number => 24 * (2 * inHour + HOUR_MS / REPEATS_EVERY_MS);
/** Audit events a day that refusals can make in one console: of one user, and of all who have no session together. */
export const REFUSALS_A_DAY = { user: inDay(IN_HOUR_MAX), places: inDay(PLACES_IN_HOUR_MAX) } as const;

const API = '/api/v1/';

/** What somebody may not do, whatever it is they ask for. */
const NOT_ALLOWED: ReadonlySet<ErrorCode> = new Set(['FORBIDDEN', 'PROOF_NEEDED']);
/** Said of what lies outside of somebody's rights exactly as of what does not exist. */
const NOT_THERE: ReadonlySet<ErrorCode> = new Set([
  'QUEUE_NOT_FOUND',
  'JOB_NOT_FOUND',
  'OPERATION_NOT_FOUND',
]);
/** These are entered where they happen, with the name that was tried: see access/begin.ts. */
const TOLD_ELSEWHERE: ReadonlySet<ErrorCode> = new Set(['SIGN_IN_FAILED', 'TOO_MANY_ATTEMPTS']);
/** What is asked of somebody who has not signed in and says nothing of who they are, is no attempt. */
const ANONYMOUS: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'CROSS_ORIGIN', 'RATE_LIMITED']);

/** Whether it belongs into the log. Pure. */
export function isAttempt(
  { weight }: Pick<Attempt, 'weight'>,
  code: ErrorCode,
  who: { readonly known: boolean; readonly claims: boolean },
): boolean {
  if (ERROR_TABLE[code].status >= 500 || TOLD_ELSEWHERE.has(code)) return false;
  if (code === 'CROSS_ORIGIN') return weight !== 'look';
  // A session or token that is none (any more) tells of somebody who tries; without any they have only to sign in.
  if (!who.known) return ANONYMOUS.has(code) && who.claims && weight !== 'look';
  if (NOT_ALLOWED.has(code)) return true;
  if (weight === 'look') return false;
  if (weight === 'work') return NOT_THERE.has(code);
  return true;
}

type Refused = AuditNote & {
  readonly code: ErrorCode;
  /** Without a session: counted by where it came from, whatever name was tried. */
  readonly isStranger?: boolean;
};

interface Repeats {
  readonly note: AuditNote;
  readonly by: Actor;
  count: number;
  last: string;
  /** What it was tried on, told apart up to a bound. */
  readonly objects: Set<string>;
}

/** What one person tries, with all their tokens; or, of those who are nobody, what comes from one place. */
interface Owner {
  readonly by: Actor;
  readonly isPlace: boolean;
  readonly sinceMs: number;
  /** Entered at once within this minute, and within this hour. */
  inMinute: number;
  inHour: number;
  readonly repeats: Map<string, Repeats>;
  readonly beyond: Map<ErrorCode, number>;
}

export class Refusals {
  private readonly owners = new Map<string, Owner>();
  private places = 0;
  /** Entered of all places together. */
  private readonly ofPlaces = { inMinute: 0, inHour: 0, sinceMs: 0 };
  /** Of more owners than are told apart, and of places beyond what is entered. */
  private readonly beyond = new Map<ErrorCode, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly enter: (note: AuditNote, by: Actor) => Promise<void>) {}

  get size(): number {
    return this.owners.size;
  }

  /** Resolves when it is entered, or counted to be. Never rejects. */
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
    const isPlace = isStranger === true || id === undefined;
    const key = isPlace ? `at ${placeOf(by.address ?? '')}` : `of ${id}`;
    const known = this.owners.get(key);
    if (known) return known;
    // Places never take the room of those who are signed in.
    if (isPlace ? this.places >= PLACES_MAX : this.owners.size - this.places >= OWNERS_MAX) return null;
    const owner: Owner = {
      by,
      isPlace,
      sinceMs: Date.now(),
      inMinute: 0,
      inHour: 0,
      repeats: new Map(),
      beyond: new Map(),
    };
    this.owners.set(key, owner);
    if (isPlace) this.places += 1;
    return owner;
  }

  private mayEnter(owner: Owner): boolean {
    const [inMinuteMax, inHourMax] = owner.isPlace
      ? [PLACE_IN_MINUTE_MAX, PLACE_IN_HOUR_MAX]
      : [IN_MINUTE_MAX, IN_HOUR_MAX];
    if (owner.inMinute >= inMinuteMax || owner.inHour >= inHourMax) return false;
    if (owner.isPlace && !this.placesMayEnter()) return false;
    owner.inMinute += 1;
    owner.inHour += 1;
    return true;
  }

  private placesMayEnter(): boolean {
    const { ofPlaces } = this;
    const now = Date.now();
    if (now - ofPlaces.sinceMs >= HOUR_MS) Object.assign(ofPlaces, { inHour: 0, sinceMs: now });
    if (ofPlaces.inMinute >= PLACES_IN_MINUTE_MAX || ofPlaces.inHour >= PLACES_IN_HOUR_MAX) return false;
    ofPlaces.inMinute += 1;
    ofPlaces.inHour += 1;
    return true;
  }

  /** Enters what was counted since, and begins anew. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.ofPlaces.inMinute = 0;
    const writes: [AuditNote, Actor][] = [];
    for (const [key, owner] of this.owners) {
      for (const { note, by, count, last, objects } of owner.repeats.values())
        if (count > 0) writes.push([{ ...note, count, after: repeatsText(last, objects) }, by]);
      if (owner.isPlace) for (const [code, count] of owner.beyond) bump(this.beyond, code, count);
      else if (owner.beyond.size > 0) writes.push([beyondNote(owner.beyond), unnamed(owner.by)]);
      owner.repeats.clear();
      owner.beyond.clear();
      owner.inMinute = 0;
      // The hour is remembered, or somebody could wait a minute and have it anew.
      const isOver = Date.now() - owner.sinceMs >= HOUR_MS;
      if (!isOver && owner.inHour > 0) continue;
      this.owners.delete(key);
      if (owner.isPlace) this.places -= 1;
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

  private async write(note: AuditNote, by: Actor): Promise<void> {
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

const objectText = ({ object, queue }: AuditNote): string =>
  [queue, object && object.id !== queue ? `${object.kind} ${object.id}` : null].filter(Boolean).join(': ');

const repeatsText = (last: string, objects: ReadonlySet<string>): string | undefined =>
  last === '' && objects.size <= 1
    ? undefined
    : JSON.stringify({
        last,
        objects: objects.size > OBJECTS_MAX ? `more than ${OBJECTS_MAX}` : objects.size,
      });

/** Whose attempts they were stays; which request the first of them was, says nothing of the others. */
const unnamed = ({ requestId: _, ...by }: Actor): Actor => by;

function beyondNote(counts: ReadonlyMap<ErrorCode, number>): AuditNote {
  const byCount = [...counts].sort((a, b) => b[1] - a[1]);
  return {
    action: 'audit.refusals',
    code: byCount[0]?.[0],
    count: byCount.reduce((sum, [, count]) => sum + count, 0),
    after: JSON.stringify({ 'attempts of many more kinds': Object.fromEntries(byCount) }),
  };
}

export const getRefusals = singleton(
  'audit-refusals',
  () =>
    new Refusals(async (note, by) => {
      await getBroker().audit.note(note, by);
      getAuditCollector().nudge();
    }),
);

/** Who asks, as far as the route has found out before it refused. */
const askers = new WeakMap<Request, Principal>();
export const rememberAsker = (request: Request, principal: Principal): void => {
  askers.set(request, principal);
};

/** Called with whatever a route answers with an error; decides itself what is worth an entry. Never throws, never waits. */
export function noteRefusal(request: Request, error: unknown, requestId: string): void {
  if (!(error instanceof RedriveError)) return;
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith(API)) return;
  const attempt = attemptOf(request.method, pathname.slice(API.length));
  const principal = askers.get(request);
  const known = principal !== undefined && principal.id !== 'nobody';
  const claims = request.headers.has('authorization') || request.headers.has('cookie');
  if (!isAttempt(attempt, error.code, { known, claims })) return;
  const { action, object, queue } = attempt;
  const by: Actor = known
    ? actorOf({ principal, requestId })
    : { actor: 'nobody', address: addressOf(request), requestId };
  void getRefusals().add(
    {
      action,
      object: object ?? undefined,
      queue: queue ?? undefined,
      result: 'refused',
      code: error.code,
      isStranger: !known,
    },
    by,
  );
}
