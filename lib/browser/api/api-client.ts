/** The browser's only access to the HTTP API: same origin, a deadline, parsed replies, readable errors. */
import type { z } from 'zod';
import { authQuestionOf, reauthGate } from '../access/reauth-gate';
import { addressOf } from '../base-path';
import { type ReplySchema, reply, schemaOf } from './reply-schemas';

export const DEADLINE_MS = 10_000;

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/**
 * `status` is 0 when no answer came. `code` is the server's, or UNREACHABLE, TIMEOUT or BAD_REPLY. `detail` (also `message`) is a sentence to show
 * unchanged.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly fields: readonly FieldError[];
  readonly requestId: string | null;
  /** When the server would take the request; null: it did not say. */
  readonly retryAfterMs: number | null;

  constructor(init: {
    status: number;
    code: string;
    detail: string;
    fields?: readonly FieldError[];
    requestId?: string | null;
    retryAfterMs?: number | null;
    cause?: unknown;
  }) {
    super(init.detail, { cause: init.cause });
    this.status = init.status;
    this.code = init.code;
    this.detail = init.detail;
    this.fields = init.fields ?? [];
    this.requestId = init.requestId ?? null;
    this.retryAfterMs = init.retryAfterMs ?? null;
  }

  /** Whether a write may have happened although it failed here. */
  get outcomeUnknown(): boolean {
    return this.status < 400 || this.status >= 500;
  }
}

export interface RequestOptions<S extends z.ZodType> {
  schema: ReplySchema<S>;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** For requests that may take longer than usual, such as counting a million matches. */
  deadlineMs?: number;
  /** False: no dialog asks for a sign-in. For the sign-in itself. */
  asks?: boolean;
}

/**
 * Sends one request and returns its parsed reply, or throws an `ApiError` (an abort by `signal` is thrown unchanged). When the
 * answer requires a sign-in or re-authentication, a dialog asks for it; afterwards the same request is sent
 * again with the same idempotency key.
 */
export async function request<S extends z.ZodType>(
  path: string,
  options: RequestOptions<S>,
): Promise<z.output<S>> {
  // While the sign-in dialog is open, every request would be refused, so it waits.
  if (options.asks !== false && reauthGate.asked() === 'sign-in')
    await reauthGate.ask('sign-in', options.signal);
  try {
    return await sendInTurn(path, options);
  } catch (error) {
    if (!(await confirmedIdentity(error, options))) throw error;
    return sendInTurn(path, options);
  }
}

/** A read for which the user's share has no room is sent again when the server says, so often and after so long at most. */
const BUSY_RETRIES = 2;
const BUSY_WAIT_MAX_MS = 10_000;

async function sendInTurn<S extends z.ZodType>(
  path: string,
  options: RequestOptions<S>,
): Promise<z.output<S>> {
  const { method = 'GET', signal } = options;
  for (let retries = method === 'GET' ? BUSY_RETRIES : 0; ; retries -= 1)
    try {
      return await send(path, options);
    } catch (error) {
      const waitMs = error instanceof ApiError && error.code === 'RATE_LIMITED' ? error.retryAfterMs : null;
      if (retries <= 0 || waitMs === null || waitMs > BUSY_WAIT_MAX_MS) throw error;
      await pause(waitMs, signal);
    }
}

/** @throws the reason of the signal */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });
}

/** Whether the error required a sign-in or re-authentication, and the user completed it. */
export async function confirmedIdentity(
  error: unknown,
  { asks = true, signal }: { asks?: boolean; signal?: AbortSignal },
): Promise<boolean> {
  const question = asks && error instanceof ApiError ? authQuestionOf(error) : null;
  return question !== null && reauthGate.ask(question, signal);
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
  const loading = schemaOf(options.schema);
  // Awaited below, with the answer.
  loading.catch(() => undefined);
  try {
    // Without its schema a change could be done and its answer unreadable.
    if (write) await loading.catch((cause: unknown) => Promise.reject(unreachable(false, cause)));
    response = await fetch(addressOf(path), {
      method: options.method ?? 'GET',
      headers: headersOf(write, options.idempotencyKey),
      body: write ? JSON.stringify(options.body ?? {}) : undefined,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: deadline.signal,
    });
    text = await response.text();
  } catch (cause) {
    if (options.signal?.aborted || cause instanceof ApiError) throw cause;
    throw deadline.signal.aborted ? timeout(write, deadlineMs, cause) : unreachable(write, cause);
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
  }
  const json = parseJson(text);
  if (!response.ok) throw await refusal(response, json);
  const schema = await loading.catch((cause: unknown) => Promise.reject(unreachable(write, cause)));
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw badReply(response, write, parsed.error);
  return parsed.data;
}

/** Appends the parameters that are set. */
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

const MAYBE_DONE = 'It may have taken effect anyway: check before you try again.';

type ErrorInit = ConstructorParameters<typeof ApiError>[0];

/** No answer came, or none that can be read: a write may have happened nevertheless. */
const lostAnswer = (write: boolean, init: ErrorInit): ApiError =>
  new ApiError({ ...init, detail: write ? `${init.detail} ${MAYBE_DONE}` : init.detail });

const timeout = (write: boolean, deadlineMs: number, cause: unknown): ApiError =>
  lostAnswer(write, {
    status: 0,
    code: 'TIMEOUT',
    detail: `The console did not answer within ${deadlineMs / 1000} seconds.`,
    cause,
  });

export const unreachable = (write: boolean, cause: unknown): ApiError =>
  lostAnswer(write, { status: 0, code: 'UNREACHABLE', detail: 'The console cannot be reached.', cause });

export const badReply = (response: Response, write: boolean, cause: unknown): ApiError =>
  lostAnswer(write, {
    status: response.status,
    code: 'BAD_REPLY',
    detail:
      'The console sent a reply this page does not understand. Reload the page: it may be older than the server.',
    requestId: response.headers.get('x-request-id'),
    cause,
  });

/** The error of a refused request: its problem document, else a sentence about the status. */
export async function refusal(response: Response, json: unknown): Promise<ApiError> {
  const schema = await reply('problemSchema')
    .load()
    .catch(() => null);
  const problem = schema?.safeParse(json);
  const requestId = response.headers.get('x-request-id');
  const seconds = response.headers.get('retry-after');
  const retryAfterMs = seconds === null || !Number.isFinite(Number(seconds)) ? null : Number(seconds) * 1_000;
  if (problem?.success) {
    const { code, detail, errors } = problem.data;
    return new ApiError({
      status: response.status,
      code,
      detail,
      fields: errors ?? [],
      retryAfterMs,
      requestId: problem.data.requestId ?? requestId,
    });
  }
  const detail = `The console answered with status ${response.status} and no explanation.`;
  return new ApiError({ status: response.status, code: 'BAD_REPLY', detail, requestId });
}
