/**
 * The one wrapper of every API route: session → permission → origin → zod → handler → error table. A route is a list of
 * what it needs and one call.
 */
import type { z } from 'zod';
import { timeOrderedId } from '@/lib/broker';
import { parseOrThrow } from '@/lib/contract/errors';
import { referenceSchema } from '@/lib/contract/names';
import type { Permission } from '@/lib/contract/permissions';
import type { Principal } from './access/principal';
import { resolvePrincipal } from './access/resolve';
import { readJson } from './body';
import { problemResponse } from './problem';
import {
  refuseOtherHosts,
  refuseOtherSites,
  requirePermission,
  requireSameOrigin,
  type Session,
  sessionOf,
} from './session';

type Output<T> = T extends z.ZodType ? z.output<T> : undefined;

export interface RouteInput<P, Q, B> {
  readonly params: Output<P>;
  readonly query: Output<Q>;
  readonly body: Output<B>;
  readonly principal: Principal;
  readonly session: Session;
  readonly request: Request;
  readonly requestId: string;
  /** The caller's Idempotency-Key: the same for every sending of one intent. */
  readonly idempotencyKey: string | null;
}

interface RouteOptions<P, Q, B> {
  permission: Permission;
  params?: P;
  query?: Q;
  body?: B;
  /** What it returns is sent as JSON with `status`; a Response is sent as it is. */
  handle(input: RouteInput<P, Q, B>): Promise<unknown>;
  status?: number;
}

/** @throws RedriveError VALIDATION: a key cut short or left empty would make different requests the same */
function keyOf(request: Request): string | null {
  const key = request.headers.get('idempotency-key');
  return key === null ? null : parseOrThrow(referenceSchema, key, 'Idempotency-Key');
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
      refuseOtherHosts(request);
      refuseOtherSites(request);
      const principal = await resolvePrincipal(request);
      const session = sessionOf(principal);
      requirePermission(session, options.permission);
      const changes = request.method !== 'GET' && request.method !== 'HEAD';
      if (changes) requireSameOrigin(request);
      const params = options.params && parseOrThrow(options.params, await context.params, 'path');
      const query = options.query && parseOrThrow(options.query, queryOf(request), 'query');
      const body = options.body && parseOrThrow(options.body, await readJson(request), 'body');
      const result = await options.handle({
        params: params as Output<P>,
        query: query as Output<Q>,
        body: body as Output<B>,
        principal,
        session,
        request,
        requestId,
        idempotencyKey: keyOf(request),
      });
      if (result instanceof Response) return result;
      return jsonResponse(result, options.status ?? 200, requestId);
    } catch (error) {
      return problemResponse(error, requestId);
    }
  };
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
