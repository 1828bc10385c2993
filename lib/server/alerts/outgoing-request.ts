/** A request of the console to a receiver of alerts: to a checked address, without redirects, with a deadline, reading little of the reply. */

import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { hostText, type OutgoingTarget, targetOf } from '@/lib/contract/alerts/outgoing-target';
import { describeError } from '@/lib/contract/describe-error';
import { AlertSendError } from './alert-send-error';
import { lookupOf, type Resolver, resolveTarget } from './resolve-target';

const DEADLINE_MS = 10_000;
const REPLY_MAX_BYTES = 4_096;
const RETRY_AFTER_MAX_MS = 3_600_000;

export interface SendOptions {
  /** Of the alert configuration: hosts that may be private. */
  readonly allowedHosts: readonly string[];
  /** Now, in ms since 1970: part of signatures. */
  readonly now: number;
  /** Ends the attempt, when the console stops. */
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  /** Instead of the system's resolver. */
  readonly resolver?: Resolver;
  /** Authorities to trust instead of the system's, PEM. */
  readonly ca?: string;
}

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of it. */
  readonly text: string;
}

/** The signal of one attempt. */
export const attemptSignal = ({ signal, deadlineMs = DEADLINE_MS }: SendOptions): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(signal ? [signal] : [])]);

/** Resolves when the receiver took it: status 2xx. @throws AlertSendError */
export async function sendRequest(request: OutgoingRequest, options: SendOptions): Promise<void> {
  const target = targetOf(request.url);
  if (target === null)
    throw new AlertSendError('The address of the channel cannot be used.', { isFinal: true });
  const signal = attemptSignal(options);
  const addresses = await resolveTarget(target, { ...options, signal });
  const reply = await exchange(request, target, {
    lookup: lookupOf(addresses),
    signal,
    ca: options.ca,
  });
  const error = refusal(reply, target, options.now);
  if (error) throw error;
}

function exchange(
  { method, url, headers, body }: OutgoingRequest,
  target: OutgoingTarget,
  connection: { lookup: LookupFunction; signal: AbortSignal; ca: string | undefined },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const ask = (target.isSecure ? requestHttps : requestHttp)(url, {
      method,
      // No connection is kept: the next one is checked anew.
      agent: false,
      ...connection,
      headers: {
        'user-agent': 'Redrive',
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
    });
    let finish: (() => void) | null = null;
    ask.once('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      finish = () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).subarray(0, REPLY_MAX_BYTES).toString('utf8'),
        });
        ask.destroy();
      };
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes >= REPLY_MAX_BYTES) finish?.();
      });
      response.once('end', finish);
      response.once('error', finish);
      response.once('close', finish);
    });
    ask.on('error', (cause) => {
      // Once the receiver has answered, how its reply ends does not matter.
      if (finish) finish();
      else reject(unreachable(cause, target, connection.signal));
    });
    ask.end(body);
  });
}

/** What keeps a connection from being made, as a sentence. */
export function unreachable(cause: unknown, target: OutgoingTarget, signal: AbortSignal): AlertSendError {
  const host = hostText(target);
  if (signal.aborted) return new AlertSendError(`${host} did not answer in time.`, { cause });
  const { code } = describeError(cause);
  return new AlertSendError(`${host} cannot be reached (${code || 'unknown error'}).`, { cause });
}

/** Null: the receiver took the message. */
function refusal(
  { status, headers, text }: Reply,
  target: OutgoingTarget,
  now: number,
): AlertSendError | null {
  if (status >= 200 && status < 300) return null;
  const host = hostText(target);
  if (status >= 300 && status < 400)
    return new AlertSendError(
      `${host} answers with a redirect (${status}), which is not followed. Configure the address that it leads to.`,
      { isFinal: true },
    );
  // 401, 403: the secret may be about to change, here or there, and the next attempt takes the one of then.
  const isFinal = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  // Receivers such as Slack say why in one word; anything longer could repeat a secret.
  const word = /^[a-z_]{1,60}$/.test(text) ? `: ${text}` : '';
  const blame =
    status === 401 || status === 403 ? ': it does not accept the key or the address of the channel' : '';
  return new AlertSendError(`${host} answers with ${status}${word}${blame}.`, {
    isFinal,
    retryAfterMs: retryAfter(headers['retry-after'], now),
  });
}

function retryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS) : null;
}
