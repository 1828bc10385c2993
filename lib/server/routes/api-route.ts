/**
 * The wrapper of every API route: origin → principal → permission → limits → schema → handler → problem document. A route is a list of
 * options and one call of the authorized broker.
 */
import type { z } from 'zod';
import { timeOrderedId, withPurse } from '@/lib/broker';
import type { ContentReply, RouteDescription } from '@/lib/contract/api/describe-route';
import { referenceSchema } from '@/lib/contract/name-schemas';
import { noSuchPage } from '@/lib/contract/not-found-errors';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { ERROR_TABLE, RedriveError } from '@/lib/contract/redrive-error';
import { asSmallRequest } from '@/lib/process/read-share';
import { getAuditCollector } from '../audit/audit-collector';
import { ANONYMOUS, type Principal, quotaOwnerId } from '../authentication/principal';
import { resolvePrincipal } from '../authentication/resolve-principal';
import { ChangePurse } from '../authorization/change-purse';
import { changeLimit } from '../authorization/change-quota';
import { recordRefusal, rememberPrincipal } from '../authorization/record-refusal';
import { requirePermission } from '../authorization/require-permission';
import { type AuthorizedBroker, authorizedBroker } from '../authorized-broker';
import { readJson } from '../http/json-body';
import { problemResponse } from '../http/problem-response';
import { compressReply } from '../http/reply-compression';
import { refuseCrossSite, requireSameOrigin } from '../http/request-origin';
import { limitNetwork, limitRate, type RateClass } from '../http/request-rate-limits';
import { getLiveHub } from '../live/live-hub';
import { inShare } from './large-reads';
import { observeRequest, type SeenRequest } from './observe-request';

type Schema = z.ZodType | undefined;
type Reply = z.ZodType | ContentReply;
type Output<T> = T extends z.ZodType ? z.output<T> : undefined;
/** What a handler may return, by the reply of its description. */
type Result<R> = R extends z.ZodType ? Response | z.input<R> : Response;

interface RouteInput<P, Q, B> {
  readonly params: Output<P>;
  readonly query: Output<Q>;
  readonly body: Output<B>;
  /** Of a public route: `ANONYMOUS`, without permissions. */
  readonly principal: Principal;
  /** The only access to the broker: each method checks the principal's permission. */
  readonly broker: AuthorizedBroker;
  readonly request: Request;
  readonly requestId: string;
  /** The Idempotency-Key header: the same each time one request is sent. */
  readonly idempotencyKey: string | null;
}

/** The part of a description that a route acts on. Only refusals of unknown addresses and methods have no more than that. */
type Described<P extends Schema, Q extends Schema, B extends Schema, R extends Reply> = Pick<
  RouteDescription<P, Q, B, R>,
  'permission' | 'params' | 'query' | 'body' | 'status' | 'reads'
> & { readonly path?: RouteDescription['path']; readonly reply?: R };

/** What the description of a route in lib/contract/api does not say. */
interface RouteOptions<P, Q, B, R> {
  /** False: the route answers as if it did not exist. */
  exists?(): boolean;
  /** An identity that this route takes besides users and API tokens; null: it is none. */
  principal?(request: Request): Principal | null;
  /** It ends sessions or tokens, or changes rights: open streams are revalidated afterwards. */
  changesRights?: true;
  /** The rate limit by user or network. Default: `read` for GET, `change` for the rest. `unlimited`: for probes. */
  rate?: RateClass | 'unlimited';
  /**
   * Whether it counts as a change in logs and traces. Default: every change does, except requests of workers (`rate: 'work'`) and
   * previews (`rate: 'search'`). What its audit events cost follows from the scripts that it sends: see `withPurse`.
   */
  records?: boolean | ((params: Output<P>) => boolean);
  /** Members of the body, and of each of its `jobs`, that keep the digits they were sent with: see ExactJson. */
  exact?: readonly string[];
  /** The result is sent as JSON with the status of the description; a Response is sent as it is. */
  handle(input: RouteInput<P, Q, B>): Promise<Result<R>>;
}

const NEVER = new AbortController().signal;
/** As other servers log it: the client left, and reads no answer. */
const CLIENT_LEFT = 499;

/** @throws RedriveError VALIDATION: a key cut short or left empty would make different requests the same */
function keyOf(request: Request): string | null {
  const key = request.headers.get('idempotency-key');
  return key === null ? null : parseOrThrow(referenceSchema, key, 'Idempotency-Key');
}

/** A refusal without a principal counts against the network. */
function limitRefusal(request: Request, error: unknown): never {
  // Without Redis no request has a principal: programs keep their usual rate, and the log gets a line for each answer.
  const isOurs = !(error instanceof RedriveError) || ERROR_TABLE[error.code].status >= 500;
  limitNetwork(request, isOurs ? 'work' : 'signed-out');
  throw error;
}

/** @throws RedriveError CROSS_ORIGIN | RATE_LIMITED */
function refuseForeignPages(request: Request, changes: boolean): void {
  try {
    refuseCrossSite(request);
    if (changes) requireSameOrigin(request);
  } catch (error) {
    limitRefusal(request, error);
  }
}

/** @throws RedriveError UNAUTHENTICATED | RATE_LIMITED */
async function identify(
  request: Request,
  { rate, principal: ownPrincipal }: Pick<AdmissionOptions, 'rate' | 'principal'>,
): Promise<Principal> {
  const principal =
    ownPrincipal?.(request) ??
    (await resolvePrincipal(request).catch((error: unknown) => limitRefusal(request, error)));
  rememberPrincipal(request, principal);
  limitRate(quotaOwnerId(principal), request, rate === 'unlimited' ? undefined : rate);
  return principal;
}

type AdmissionOptions = Pick<RouteOptions<never, never, never, never>, 'exists' | 'rate' | 'principal'> &
  Pick<RouteDescription, 'permission'>;

/** @throws RedriveError UNAUTHENTICATED | RATE_LIMITED | NOT_FOUND | FORBIDDEN | REAUTHENTICATION_REQUIRED */
async function admit(request: Request, options: AdmissionOptions): Promise<Principal> {
  const { permission, exists, rate } = options;
  if (permission === 'public') {
    if (rate !== 'unlimited') limitNetwork(request, rate);
    return ANONYMOUS;
  }
  const principal = await identify(request, options);
  if (exists?.() === false) throw noSuchPage(new URL(request.url).pathname);
  if (permission !== 'signed-in') requirePermission(principal, permission);
  return principal;
}

/** What it records in the audit log is paid for before. @throws RedriveError RATE_LIMITED */
async function paying<T>(principal: Principal, handle: () => Promise<T>): Promise<T> {
  const purse = new ChangePurse(principal, changeLimit(principal));
  let failed = true;
  try {
    const result = await withPurse(purse, handle);
    failed = false;
    return result;
  } finally {
    await purse.close(failed);
  }
}

type Handle = (
  request: Request,
  context: { params: Promise<Record<string, string | string[] | undefined>> },
) => Promise<Response>;
/** A route keeps its description, so that tests hold its answers against it. */
type DescribedHandle = Handle & { readonly description: Partial<RouteDescription> };

/** @param description its entry in lib/contract/api */
export function route<
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
  R extends Reply = never,
>(description: Described<P, Q, B, R>, options: RouteOptions<P, Q, B, R>): DescribedHandle {
  const {
    path,
    permission,
    params: paramsSchema,
    query: querySchema,
    body: bodySchema,
    status = 200,
    reads = 'small',
  } = description;
  const answer = async (
    request: Request,
    context: Parameters<Handle>[1],
    requestId: string,
    seen: SeenRequest,
  ): Promise<Response> => {
    try {
      const changes = request.method !== 'GET' && request.method !== 'HEAD';
      refuseForeignPages(request, changes);
      const principal = await admit(request, { ...options, permission });
      const params = paramsSchema && parseOrThrow(paramsSchema, await context.params, 'path');
      seen.queue = queueIn(params);
      seen.isChange = changes && options.rate !== 'work' && options.rate !== 'search';
      const { records = seen.isChange } = options;
      if (typeof records === 'function' ? records(params as Output<P>) : records) seen.isChange = true;
      const query = querySchema && parseOrThrow(querySchema, queryOf(request), 'query');
      const idempotencyKey = keyOf(request);
      const body = bodySchema && parseOrThrow(bodySchema, await readJson(request, options.exact), 'body');
      const handle = () =>
        options.handle({
          params: params as Output<P>,
          query: query as Output<Q>,
          body: body as Output<B>,
          principal,
          broker: authorizedBroker({ principal, requestId, idempotencyKey }),
          request,
          requestId,
          idempotencyKey,
        });
      // Sign-ins have a quota of their own.
      const paid = () => (permission === 'public' ? handle() : paying(principal, handle));
      // A change is carried out although its client leaves.
      const signal = seen.isChange ? NEVER : request.signal;
      const result = await (options.rate === 'work' ? paid() : inShare(principal, { reads, signal }, paid));
      if (changes) getAuditCollector().nudge(seen.queue);
      if (options.changesRights) getLiveHub().rightsChanged();
      const response = result instanceof Response ? result : jsonResponse(result, status, requestId);
      return seen.isChange ? uncompressed(response) : await compressReply(request, response);
    } catch (error) {
      if (request.signal.aborted && error === request.signal.reason)
        return new Response(null, { status: CLIENT_LEFT });
      seen.code = error instanceof RedriveError ? error.code : 'INTERNAL';
      recordRefusal(request, error, requestId);
      return refused(request, error, requestId);
    }
  };
  const handle: Handle = (request, context) => {
    const requestId = timeOrderedId();
    const observed = { request, requestId, route: path, isProbe: options.rate === 'unlimited' };
    return observeRequest(observed, (seen) => {
      const work = () => answer(request, context, requestId, seen);
      // From its first read on, which tells who asks: scans leave a gap for that read, too. A claim may wait for jobs for a long time.
      return reads === 'small' && options.rate !== 'work' ? asSmallRequest(work) : work();
    });
  };
  return Object.assign(handle, { description });
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];
/** `refuses`: exported for an unsupported method. */
type Handler = Handle & { readonly refuses?: true };

/**
 * Handlers for the methods that an address does not support: a problem document with `Allow`, without sign-in.
 * @param answered the supported methods
 */
export function refuseMethods<M extends Method>(
  ...answered: readonly M[]
): Record<Exclude<Method, M>, Handler> {
  const allow = answered
    .flatMap((method): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ');
  const refuse = route(
    { permission: 'public' },
    {
      rate: 'signed-out',
      handle: async ({ request }) => {
        throw new RedriveError(
          'METHOD_NOT_ALLOWED',
          `${request.method} is not supported at ${new URL(request.url).pathname.slice(0, 200)}. Use ${allow}.`,
        );
      },
    },
  );
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

/** The queue of a change: its audit events are collected first. */
const queueIn = (params: unknown): string | undefined =>
  typeof params === 'object' && params !== null && 'queue' in params && typeof params.queue === 'string'
    ? params.queue
    : undefined;

/** WWW-Authenticate only for a request with a token: browsers would open a window of their own. */
function refused(request: Request, error: unknown, requestId: string): Response {
  const response = problemResponse(error, requestId);
  if (error instanceof RedriveError && error.code === 'UNAUTHENTICATED')
    if (request.headers.has('authorization')) response.headers.set('www-authenticate', 'Bearer');
  return response;
}

/** The answer to a change can hold a secret (a new token, hidden values) beside text of the request; the size of both together would tell of it. */
function uncompressed(response: Response): Response {
  if (response.headers.get('content-type')?.startsWith('application/json'))
    response.headers.set('cache-control', 'no-store, no-transform');
  return response;
}

export const jsonResponse = (body: unknown, status: number, requestId: string): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', 'x-request-id': requestId } });

/** A body that is JSON already. */
export const jsonBytes = (body: Uint8Array, requestId: string): Response =>
  new Response(body as BodyInit, {
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-request-id': requestId },
  });

/** A repeated parameter becomes a list, which the schemas refuse. */
function queryOf(request: Request): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  const search = new URL(request.url).searchParams;
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name);
    query[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return query;
}
