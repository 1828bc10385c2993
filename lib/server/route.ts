/**
 * The one wrapper of every API route: host and site → who is asking → permission → zod → handler → error table. A route is a list of
 * what it needs and one call. What it does, it does through `broker`, which checks every item it is asked for.
 */
import type { z } from 'zod';
import { timeOrderedId } from '@/lib/broker';
import { ERROR_TABLE, parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { referenceSchema } from '@/lib/contract/names';
import type { Permission } from '@/lib/contract/permissions';
import { requireChangeShare } from './access/change-share';
import { need } from './access/need';
import type { Principal } from './access/principal';
import { resolvePrincipal } from './access/resolve';
import { getAuditCollector } from './audit-collector';
import { noteRefusal, rememberAsker } from './audit-refusals';
import { readJson } from './body';
import { type GuardedBroker, guarded } from './guarded';
import { NOBODY } from './guarded/nobody';
import { getHub } from './hub';
import { noSuchPage } from './missing';
import { problemResponse } from './problem';
import { limitPlace, limitRate, type RateClass } from './rate-limits';
import { refuseOtherHosts, refuseOtherSites, requireSameOrigin } from './same-site';

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

export interface RouteInput<P, Q, B> {
  readonly params: Output<P>;
  readonly query: Output<Q>;
  readonly body: Output<B>;
  /** Of a route that is open to all: somebody who may do nothing. */
  readonly principal: Principal;
  /** What a request can reach of the broker: each verb checks the rights of the principal itself. */
  readonly broker: GuardedBroker;
  readonly request: Request;
  readonly requestId: string;
  /** The caller's Idempotency-Key: the same for every sending of one intent. */
  readonly idempotencyKey: string | null;
}

interface RouteOptions<P, Q, B> {
  /**
   * Held somewhere, or the request ends here; where it is held, `broker` checks item by item. `signed-in`: whoever came in, whatever
   * they may do. `nobody`: open to all.
   */
  permission: Permission | 'signed-in' | 'nobody';
  /** Where this says no, the route is as if it were not there. */
  exists?(): boolean;
  /** It ends sessions or tokens, or takes rights away: who is connected is looked at again once it is done. */
  changesRights?: true;
  /** How often one person or place may ask; left out: `read` for GET, `change` for the rest. `unlimited`: a probe, which learns next to nothing. */
  rate?: RateClass | 'unlimited';
  /**
   * Whether it leaves audit events when it succeeds, which one user may only so often. Left out: what changes something does, but for what programs do all
   * day (`rate: 'work'`) and previews (`rate: 'search'`).
   */
  records?: boolean | ((params: Output<P>) => boolean);
  params?: P;
  query?: Q;
  body?: B;
  /** Members of the body, and of each of its `jobs`, that keep the digits they were sent with: see ExactJson. */
  exact?: readonly string[];
  /** What it returns is sent as JSON with `status`; a Response is sent as it is. */
  handle(input: RouteInput<P, Q, B>): Promise<unknown>;
  status?: number;
}

/** @throws RedriveError VALIDATION: a key cut short or left empty would make different requests the same */
function keyOf(request: Request): string | null {
  const key = request.headers.get('idempotency-key');
  return key === null ? null : parseOrThrow(referenceSchema, key, 'Idempotency-Key');
}

/** What a request is refused before anybody knows who sends it: that is limited by where it comes from. */
function limitRefusal(request: Request, error: unknown): never {
  // While Redis is away nobody can be known: programs then come as often as they always do, and each answer is a line in the log.
  const isOurs = !(error instanceof RedriveError) || ERROR_TABLE[error.code].status >= 500;
  limitPlace(request, isOurs ? 'work' : 'signed-out');
  throw error;
}

/** @throws RedriveError HOST_REFUSED | CROSS_ORIGIN | RATE_LIMITED */
function refuseOthers(request: Request, changes: boolean): void {
  try {
    refuseOtherHosts(request);
    refuseOtherSites(request);
    if (changes) requireSameOrigin(request);
  } catch (error) {
    limitRefusal(request, error);
  }
}

/** @throws RedriveError UNAUTHENTICATED | RATE_LIMITED */
async function whoAsks(request: Request, rate: RateClass | undefined): Promise<Principal> {
  const principal = await resolvePrincipal(request).catch((error: unknown) => limitRefusal(request, error));
  rememberAsker(request, principal);
  limitRate(principal, request, rate);
  return principal;
}

type Entrance = Pick<RouteOptions<never, never, never>, 'permission' | 'exists' | 'rate'>;

/** @throws RedriveError UNAUTHENTICATED | RATE_LIMITED | NOT_FOUND | FORBIDDEN | PROOF_NEEDED */
async function admit(request: Request, { permission, exists, rate }: Entrance): Promise<Principal> {
  if (permission === 'nobody') {
    if (rate !== 'unlimited') limitPlace(request, rate);
    return NOBODY;
  }
  const principal = await whoAsks(request, rate === 'unlimited' ? undefined : rate);
  if (exists?.() === false) throw noSuchPage(new URL(request.url).pathname);
  if (permission !== 'signed-in') need(principal, permission);
  return principal;
}

export function route<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  options: RouteOptions<P, Q, B>,
): (
  request: Request,
  context: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response> {
  return async (request, context) => {
    const requestId = timeOrderedId();
    try {
      const changes = request.method !== 'GET' && request.method !== 'HEAD';
      refuseOthers(request, changes);
      const principal = await admit(request, options);
      const params = options.params && parseOrThrow(options.params, await context.params, 'path');
      const { records = changes && options.rate !== 'work' && options.rate !== 'search' } = options;
      if (options.permission !== 'nobody')
        if (typeof records === 'function' ? records(params as Output<P>) : records)
          await requireChangeShare(principal);
      const query = options.query && parseOrThrow(options.query, queryOf(request), 'query');
      const idempotencyKey = keyOf(request);
      const body = options.body && parseOrThrow(options.body, await readJson(request, options.exact), 'body');
      const result = await options.handle({
        params: params as Output<P>,
        query: query as Output<Q>,
        body: body as Output<B>,
        principal,
        broker: guarded({ principal, requestId, idempotencyKey }),
        request,
        requestId,
        idempotencyKey,
      });
      if (changes) getAuditCollector().nudge(queueIn(params));
      if (options.changesRights) getHub().rightsChanged();
      if (result instanceof Response) return result;
      return jsonResponse(result, options.status ?? 200, requestId);
    } catch (error) {
      noteRefusal(request, error, requestId);
      return refused(request, error, requestId);
    }
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];
/** `refuses`: exported for a method that the address does not answer. */
type Handler = ReturnType<typeof route> & { readonly refuses?: true };

/**
 * For the methods that an address does not answer: a problem document with `Allow`, where the framework would say 405 and nothing else. Asks for no session,
 * since the answer is in the documentation.
 * @param answered the methods that it does answer
 */
export function refuseMethods<M extends Method>(
  ...answered: readonly M[]
): Record<Exclude<Method, M>, Handler> {
  const allow = answered
    .flatMap((method): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ');
  const refuse = route({
    permission: 'nobody',
    rate: 'signed-out',
    handle: async ({ request }) => {
      throw new RedriveError(
        'METHOD_NOT_ALLOWED',
        `${request.method} is not answered at ${new URL(request.url).pathname.slice(0, 200)}. Use ${allow}.`,
      );
    },
  });
  const answer: Handler = async (request, context) => {
    const response = await refuse(request, context);
    if (response.status === 405) response.headers.set('allow', allow);
    return response;
  };
  const refusal: Handler = Object.assign(answer, { refuses: true as const });
  return Object.fromEntries(METHODS.map((method) => [method, refusal])) as Record<
    Exclude<Method, M>,
    Handler
  >;
}

/** Where something was done, for the audit log: other queues are looked at in their turn. */
const queueIn = (params: unknown): string | undefined =>
  typeof params === 'object' && params !== null && 'queue' in params && typeof params.queue === 'string'
    ? params.queue
    : undefined;

/** A program that sent a token is told how to send a better one; a browser, which would ask in a window of its own, is not. */
function refused(request: Request, error: unknown, requestId: string): Response {
  const response = problemResponse(error, requestId);
  if (error instanceof RedriveError && error.code === 'UNAUTHENTICATED')
    if (request.headers.has('authorization')) response.headers.set('www-authenticate', 'Bearer');
  return response;
}

export const jsonResponse = (body: unknown, status: number, requestId: string): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', 'x-request-id': requestId } });

/** A parameter given twice becomes a list, which no schema takes for a single value. */
function queryOf(request: Request): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  const search = new URL(request.url).searchParams;
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return query;
}
