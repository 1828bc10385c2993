/** A typed client of the HTTP API: one method for each route of lib/contract/api, which says what it takes and answers. */
import type { z } from 'zod';
import { API, type Api, type ApiRouteName } from '../contract/api';
import { isContent, type RouteDescription } from '../contract/api/describe-route';
import { isLoopbackHost } from '../contract/loopback-host';
import { ApiError, refusalOf } from './api-error';

export interface ApiClientOptions {
  /** Of the console, such as `https://redrive.example.com`. */
  readonly url: string;
  /** An API token, `rdt_…`. Left out: only for a console with AUTH=none. */
  readonly token?: string | undefined;
  /** Until an answer begins; default 30,000. */
  readonly timeoutMs?: number;
  /** Sends the token to another machine over http, readable on the way: behind a tunnel or in a network of its own. */
  readonly insecureHttp?: boolean | undefined;
}

export interface ApiRequestOptions {
  /** The same for each sending of one change: it then takes effect once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type InputOf<T> = T extends z.ZodType ? z.input<T> : never;
type Part<Name extends string, T> = T extends z.ZodType
  ? Partial<z.input<T>> extends z.input<T>
    ? { [K in Name]?: InputOf<T> }
    : { [K in Name]: InputOf<T> }
  : unknown;
/** What the method of a route takes. */
export type ApiInput<R> =
  R extends RouteDescription<infer P, infer Q, infer B>
    ? Part<'params', P> & Part<'query', Q> & Part<'body', B> & ApiRequestOptions
    : never;
/** What it resolves to; a Response for files and streams, whose body is not read yet. */
export type ApiReply<R> = R extends { reply: infer T }
  ? T extends z.ZodType
    ? z.output<T>
    : Response
  : never;
type Method<R> =
  Record<string, never> extends ApiInput<R>
    ? (input?: ApiInput<R>) => Promise<ApiReply<R>>
    : (input: ApiInput<R>) => Promise<ApiReply<R>>;
export type ApiClient = { readonly [Name in ApiRouteName]: Method<Api[Name]> };

interface AnyInput extends ApiRequestOptions {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  readonly body?: unknown;
}

const TIMEOUT_MS = 30_000;

/**
 * @throws Error when `url` is no address, holds a password, or would carry the token over http to another machine; the methods throw
 * ApiError
 */
export function createApiClient(options: ApiClientOptions): ApiClient {
  if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol))
    throw new Error('url is no address of a console. Give one such as https://redrive.example.com.');
  refuseReadableSecrets(options);
  const methods = (Object.entries(API) as [string, RouteDescription][]).map(([name, route]) => [
    name,
    (input: AnyInput = {}) => send(options, route, input),
  ]);
  return Object.fromEntries(methods) as ApiClient;
}

/** A host is named in the sentence, and nothing else of the address: the rest may be secret. */
function refuseReadableSecrets({ url, token, insecureHttp }: ApiClientOptions): void {
  const { username, password, protocol, hostname } = new URL(url);
  if (username || password)
    throw new Error('url must not hold a user name or password. Give an API token as token instead.');
  if (token === undefined || insecureHttp || protocol === 'https:' || isLoopbackHost(hostname)) return;
  throw new Error(
    `url is http: on the way to ${hostname} others could read the API token. Use https, or allow it with --insecure-http (in the client: insecureHttp).`,
  );
}

async function send(options: ApiClientOptions, route: RouteDescription, input: AnyInput): Promise<unknown> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const signals = [deadline.signal, ...(input.signal ? [input.signal] : [])];
  try {
    const response = await fetch(addressOf(options.url, route, input), {
      method: route.method,
      headers: headersOf(options, route, input),
      ...(route.method === 'GET' ? {} : { body: JSON.stringify(input.body ?? {}) }),
      redirect: 'error',
      signal: AbortSignal.any(signals),
    });
    if (response.ok && isContent(route.reply)) return response;
    const json = jsonOf(await response.text());
    if (!response.ok) throw refusalOf(response, json);
    return parsed(route, response, json);
  } catch (error) {
    if (error instanceof ApiError || input.signal?.aborted) throw error;
    if (deadline.signal.aborted)
      throw new ApiError({
        status: 0,
        code: 'TIMEOUT',
        detail: `${new URL(options.url).origin} did not answer within ${timeoutMs / 1_000} seconds.${maybeDone(route)}`,
        cause: error,
      });
    const detail = `The console at ${new URL(options.url).origin} cannot be reached.${maybeDone(route)}`;
    throw new ApiError({ status: 0, code: 'UNREACHABLE', detail, cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function parsed({ reply }: RouteDescription, response: Response, json: unknown): unknown {
  if (isContent(reply)) return response;
  const result = reply.safeParse(json);
  if (result.success) return result.data;
  throw new ApiError({
    status: response.status,
    code: 'BAD_REPLY',
    detail: 'The console sent a reply that this client does not understand. Use the version of the console.',
    requestId: response.headers.get('x-request-id'),
    cause: result.error,
  });
}

const maybeDone = ({ method }: RouteDescription): string =>
  method === 'GET' ? '' : ' The change may have taken effect: check before you try again.';

function headersOf(
  { token }: ApiClientOptions,
  { method }: RouteDescription,
  input: AnyInput,
): Record<string, string> {
  return {
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    ...(input.idempotencyKey === undefined ? {} : { 'idempotency-key': input.idempotencyKey }),
  };
}

function addressOf(base: string, { path }: RouteDescription, { params = {}, query = {} }: AnyInput): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(`${base.replace(/\/+$/, '')}${filled}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  return url;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
