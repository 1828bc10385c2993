/** Which refused requests the audit log gets, and for which user or network. */
import type { Actor } from '@/lib/broker';
import { ERROR_TABLE, type ErrorCode, RedriveError } from '@/lib/contract/redrive-error';
import { getRefusalLog } from '../audit/audit-refusals';
import { ANONYMOUS, actorOf, type Principal } from '../authentication/principal';
import { addressOf } from '../http/client-network';
import { type AttemptedAction, attemptedAction } from './attempted-action';

const API = '/api/v1/';

/** Missing permissions, whatever was requested. */
const NOT_ALLOWED: ReadonlySet<ErrorCode> = new Set(['FORBIDDEN', 'REAUTHENTICATION_REQUIRED']);
/** The same answer for objects outside the principal's scope and objects that do not exist. */
const NOT_THERE: ReadonlySet<ErrorCode> = new Set([
  'QUEUE_NOT_FOUND',
  'JOB_NOT_FOUND',
  'OPERATION_NOT_FOUND',
]);
/** Recorded where they happen, with the user's name: see create-session.ts. */
const RECORDED_ELSEWHERE: ReadonlySet<ErrorCode> = new Set(['SIGN_IN_FAILED', 'TOO_MANY_ATTEMPTS']);
/** Requests without any credentials are no attempts. */
const WITHOUT_CREDENTIALS: ReadonlySet<ErrorCode> = new Set([
  'UNAUTHENTICATED',
  'CROSS_ORIGIN',
  'RATE_LIMITED',
]);

/** Whether a refusal is recorded. Pure. */
export function isAuditedRefusal(
  { weight }: Pick<AttemptedAction, 'weight'>,
  code: ErrorCode,
  who: { readonly known: boolean; readonly claims: boolean },
): boolean {
  if (ERROR_TABLE[code].status >= 500 || RECORDED_ELSEWHERE.has(code)) return false;
  if (code === 'CROSS_ORIGIN') return weight !== 'look';
  // An invalid session or token is an attempt; without either, the user only has to sign in.
  if (!who.known) return WITHOUT_CREDENTIALS.has(code) && who.claims && weight !== 'look';
  if (NOT_ALLOWED.has(code)) return true;
  if (weight === 'look') return false;
  if (weight === 'work') return NOT_THERE.has(code);
  return true;
}

/** The principal of a request, if it was resolved before the refusal. */
const principals = new WeakMap<Request, Principal>();
export const rememberPrincipal = (request: Request, principal: Principal): void => {
  principals.set(request, principal);
};
/** Undefined: it was refused before, or the route is public. */
export const principalOf = (request: Request): Principal | undefined => principals.get(request);

/** Called with every error that a route answers with; records it when `isAuditedRefusal`. Never throws, never waits. */
export function recordRefusal(request: Request, error: unknown, requestId: string): void {
  if (!(error instanceof RedriveError)) return;
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith(API)) return;
  const attempt = attemptedAction(request.method, pathname.slice(API.length));
  const principal = principals.get(request);
  const known = principal !== undefined && principal.id !== ANONYMOUS.id;
  const claims = request.headers.has('authorization') || request.headers.has('cookie');
  if (!isAuditedRefusal(attempt, error.code, { known, claims })) return;
  const { action, object, queue } = attempt;
  const by: Actor = known
    ? actorOf({ principal, requestId })
    : { actor: 'anonymous', address: addressOf(request), requestId };
  void getRefusalLog().add(
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
