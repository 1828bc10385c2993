/** The one way from the browser to the HTTP API: same origin, a deadline, parsed replies, designed errors. */
import type { z } from 'zod';
import { problemSchema } from '@/lib/contract/errors';
import { personGate, questionOf } from './person-gate';

export const DEADLINE_MS = 10_000;

/** Codes the browser adds to the server's error table: no readable answer came. */
export type ClientErrorCode = 'UNREACHABLE' | 'TIMEOUT' | 'BAD_REPLY';

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** `status` is 0 when no answer came. `detail` (also `message`) is a sentence to show as it is. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly fields: readonly FieldError[];
  readonly requestId: string | null;

  constructor(init: {
    status: number;
    code: string;
    detail: string;
    fields?: readonly FieldError[];
    requestId?: string | null;
    cause?: unknown;
  }) {
    super(init.detail, { cause: init.cause });
    this.status = init.status;
    this.code = init.code;
    this.detail = init.detail;
    this.fields = init.fields ?? [];
    this.requestId = init.requestId ?? null;
  }

  /** True when a write may have happened although no good answer came. */
  get outcomeUnknown(): boolean {
    return this.status < 400 || this.status >= 500;
  }

  /** What the server said about one field of the input, by its own name or the end of its path. */
  about(field: string): string | null {
    const found = this.fields.find((entry) => entry.field === field || entry.field.endsWith(`.${field}`));
    return found?.message ?? null;
  }
}

export interface RequestOptions<S extends z.ZodType> {
  schema: S;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** For what may take longer than a page should wait for anything else: counting a million matches. */
  deadlineMs?: number;
  /** False: an answer that asks who one is stands as it is. For signing in itself. */
  asks?: boolean;
}

/**
 * Sends one request and returns its parsed reply, or throws an `ApiError` (an abort by `signal` is thrown as it is). Where the
 * answer asks for a person, to sign in again or to prove who they are, a dialog asks them; once they did, the same request goes
 * out once more, with the same idempotency key.
 */
export async function request<S extends z.ZodType>(
  path: string,
  options: RequestOptions<S>,
): Promise<z.output<S>> {
  // While somebody is asked to sign in again, no answer could be had: nothing more is sent.
  if (options.asks !== false && personGate.asked() === 'sign-in')
    await personGate.ask('sign-in', options.signal);
  try {
    return await send(path, options);
  } catch (error) {
    if (!(await answered(error, options))) throw error;
    return send(path, options);
  }
}

/** Whether the error asked for a person, and the person has answered. */
export async function answered(
  error: unknown,
  { asks = true, signal }: { asks?: boolean; signal?: AbortSignal },
): Promise<boolean> {
  const question = asks && error instanceof ApiError ? questionOf(error) : null;
  return question !== null && personGate.ask(question, signal);
}

async function send<S extends z.ZodType>(path: string, options: RequestOptions<S>): Promise<z.output<S>> {
  const write = options.method !== undefined && options.method !== 'GET';
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const deadline = new AbortController();
  const abort = () => deadline.abort();
  const timer = setTimeout(abort, deadlineMs);
  options.signal?.addEventListener('abort', abort, { once: true });
  if (options.signal?.aborted) abort();
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method: options.method ?? 'GET',
      headers: headersOf(write, options.idempotencyKey),
      body: write ? JSON.stringify(options.body ?? {}) : undefined,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: deadline.signal,
    });
    text = await response.text();
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw deadline.signal.aborted ? timeout(write, deadlineMs, cause) : unreachable(write, cause);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
  }
  const json = parseJson(text);
  if (!response.ok) throw refusal(response, json);
  const parsed = options.schema.safeParse(json);
  if (!parsed.success) throw badReply(response, write, parsed.error);
  return parsed.data;
}

/** Adds the parameters that are set. */
export function withQuery(path: string, params: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}

function headersOf(write: boolean, idempotencyKey: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    ...(write ? { 'content-type': 'application/json' } : {}),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAYBE_DONE = 'It may have been done all the same: look before you try again.';

function timeout(write: boolean, deadlineMs: number, cause: unknown): ApiError {
  const detail = `The console did not answer within ${deadlineMs / 1000} seconds.`;
  return new ApiError({
    status: 0,
    code: 'TIMEOUT',
    detail: write ? `${detail} ${MAYBE_DONE}` : detail,
    cause,
  });
}

export function unreachable(write: boolean, cause: unknown): ApiError {
  const detail = 'The console cannot be reached.';
  return new ApiError({
    status: 0,
    code: 'UNREACHABLE',
    detail: write ? `${detail} ${MAYBE_DONE}` : detail,
    cause,
  });
}

/** An answer that says no: the problem document when there is one, else a sentence about the status. */
export function refusal(response: Response, json: unknown): ApiError {
  const problem = problemSchema.safeParse(json);
  const requestId = response.headers.get('x-request-id');
  if (problem.success) {
    const { code, detail, errors } = problem.data;
    return new ApiError({
      status: response.status,
      code,
      detail,
      fields: errors ?? [],
      requestId: problem.data.requestId ?? requestId,
    });
  }
  const detail = `The console answered with status ${response.status} and no explanation.`;
  return new ApiError({ status: response.status, code: 'BAD_REPLY', detail, requestId });
}

function badReply(response: Response, write: boolean, cause: unknown): ApiError {
  const detail =
    'The console sent a reply this page does not understand. Reload the page: it may be older than the server.';
  return new ApiError({
    status: response.status,
    code: 'BAD_REPLY',
    detail: write ? `${detail} ${MAYBE_DONE}` : detail,
    requestId: response.headers.get('x-request-id'),
    cause,
  });
}
