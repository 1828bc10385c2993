/** The border's own answers: a problem document under /api, as the API gives them (RFC 9457), and plain words to everybody else. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { pathOf } from './target.mjs';

/** @typedef {import('./refusals.mjs').Refusal} Refusal */

/** As the table of lib/contract/errors.ts has them; the test beside this file compares the two. @type {Record<string, string>} */
export const TITLES = {
  VALIDATION: 'The request is not valid',
  HOST_REFUSED: 'The console does not answer to this name',
  NOT_FOUND: 'No such page',
  METHOD_NOT_ALLOWED: 'The method is not answered here',
  BODY_TOO_LARGE: 'The body is too large',
  RATE_LIMITED: 'Too many requests',
  ADDRESS_TOO_LONG: 'The address is too long',
  INTERNAL: 'Something went wrong on our side',
};

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response @param {Refusal} refusal */
export function answer(request, response, { status, code, detail, allow, close, retryAfterSeconds }) {
  const requestId = randomUUID();
  const asProblem = code === 'HOST_REFUSED' || pathOf(request.url ?? '/').startsWith('/api/');
  const text = asProblem
    ? JSON.stringify({
        type: `urn:redrive:problem:${code.toLowerCase().replaceAll('_', '-')}`,
        title: TITLES[code],
        status,
        code,
        detail,
        requestId,
      })
    : `${status} ${STATUS_CODES[status]}. ${detail}\n`;
  response.writeHead(status, {
    'content-type': asProblem ? 'application/problem+json' : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': requestId,
    ...(allow ? { allow } : {}),
    ...(retryAfterSeconds ? { 'retry-after': retryAfterSeconds } : {}),
    // What else the client meant to send is not read.
    ...(close ? { connection: 'close' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
