/**
 * Refused attempts, entered in the audit log: the first of a kind at once, its repeats counted and entered once a minute. So nobody can
 * fill the log by knocking, and nobody's knocking goes unseen. Should it not be written, the refusal stands all the same.
 */
import type { Actor, AuditNote } from '@/lib/broker';
import { ERROR_TABLE, type ErrorCode, RedriveError } from '@/lib/contract/errors';
import { actorOf, type Principal } from './access/principal';
import { type Attempt, attemptOf } from './audit-actions';
import { getAuditCollector } from './audit-collector';
import { addressOf } from './border';
import { getBroker } from './broker';
import { log } from './log';
import { singleton } from './singleton';

const REPEATS_EVERY_MS = 60_000;
/** Kinds of attempts told apart at a time, and entered at once in a minute; what is beyond is counted together. */
const KINDS_MAX = 2_000;
const AT_ONCE_MAX = 300;
const API = '/api/v1/';

/** What somebody may not do, whatever it is they ask for. */
const NOT_ALLOWED: ReadonlySet<ErrorCode> = new Set(['FORBIDDEN', 'PROOF_NEEDED']);
/** Said of what lies outside of somebody's rights exactly as of what does not exist. */
const NOT_THERE: ReadonlySet<ErrorCode> = new Set([
  'QUEUE_NOT_FOUND',
  'JOB_NOT_FOUND',
  'OPERATION_NOT_FOUND',
]);
/** These are entered where they happen, with the name that was tried. */
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

interface Repeats {
  readonly note: AuditNote;
  readonly by: Actor;
  count: number;
}

export class Refusals {
  private readonly repeats = new Map<string, Repeats>();
  private readonly overflow = new Map<ErrorCode, number>();
  private atOnce = 0;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly enter: (note: AuditNote, by: Actor) => Promise<void>) {}

  get size(): number {
    return this.repeats.size;
  }

  add(note: AuditNote & { readonly code: ErrorCode }, by: Actor): void {
    this.arm();
    const key = JSON.stringify([by.actorId ?? by.address ?? by.actor, note.action, note.code]);
    const known = this.repeats.get(key);
    if (known) {
      known.count += 1;
      return;
    }
    if (this.repeats.size >= KINDS_MAX || this.atOnce >= AT_ONCE_MAX) {
      this.overflow.set(note.code, (this.overflow.get(note.code) ?? 0) + 1);
      return;
    }
    this.repeats.set(key, { note, by, count: 0 });
    this.atOnce += 1;
    void this.write({ ...note, count: 1 }, by);
  }

  /** Enters what was counted since, and begins anew. */
  async flush(): Promise<void> {
    const counted = [...this.repeats.values()].filter(({ count }) => count > 0);
    const beyond = [...this.overflow];
    this.repeats.clear();
    this.overflow.clear();
    this.atOnce = 0;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    for (const { note, by, count } of counted) await this.write({ ...note, count }, by);
    for (const [code, count] of beyond)
      await this.write(
        { action: 'audit.refusals', result: 'refused', code, count, after: 'refused attempts of many more' },
        { actor: 'redrive' },
      );
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
  getRefusals().add(
    { action, object: object ?? undefined, queue: queue ?? undefined, result: 'refused', code: error.code },
    by,
  );
}
