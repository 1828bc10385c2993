/** Requests that nothing behind the border needs to see, and what is said of them. */
import { isOwnHost, isProbe } from './host.mjs';
import { pathOf, refusedTarget } from './target.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */
/** @typedef {{status: number, code: string, detail: string, allow?: string, close?: boolean, retryAfterSeconds?: number}} Refusal */

/** As lib/contract/api.ts has it for bodies; the test beside this file compares the two. */
export const BODY_MAX_BYTES = 1024 * 1024;
const READS = new Set(['GET', 'HEAD']);
const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const API_METHODS = [...READS, ...CHANGES].join(', ');

/** @param {import('node:http').IncomingMessage} request @param {Settings} settings @returns {Refusal | null} */
export function refusalOf(request, settings) {
  const { method = 'GET', headers, url = '/' } = request;
  const target = refusedTarget(url, settings);
  if (target) return { ...target, code: CODES[target.status] };
  const path = pathOf(url);
  if (!isProbe(path) && (countOf(request, 'host') > 1 || !isOwnHost(headers.host, settings)))
    return {
      status: 400,
      code: 'HOST_REFUSED',
      detail: `This console is ${settings.origin}. Open it there, or name the host in REDRIVE_ALLOWED_HOSTS.`,
    };
  const inApi = path.startsWith('/api/');
  if (!READS.has(method) && !(inApi && CHANGES.has(method)))
    return {
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      detail: `${method} is not answered here.`,
      allow: inApi ? API_METHODS : 'GET, HEAD',
      close: true,
    };
  return refusedBody(method, headers) ?? refusedHeader(headers, settings);
}

const CODES = /** @type {const} */ ({ 400: 'VALIDATION', 404: 'NOT_FOUND', 414: 'ADDRESS_TOO_LONG' });

/** @param {string} method @param {import('node:http').IncomingHttpHeaders} headers @returns {Refusal | null} */
function refusedBody(method, headers) {
  const bytes = Number(headers['content-length'] ?? 0);
  if (READS.has(method) && (bytes > 0 || headers['transfer-encoding'] !== undefined))
    return { status: 400, code: 'VALIDATION', detail: `${method} takes no body.`, close: true };
  if (bytes > BODY_MAX_BYTES)
    return {
      status: 413,
      code: 'BODY_TOO_LARGE',
      detail: `The body is larger than ${BODY_MAX_BYTES} bytes. Split it, or use payloadRef for large data.`,
      close: true,
    };
  return null;
}

/** @param {import('node:http').IncomingHttpHeaders} headers @param {Settings} settings @returns {Refusal | null} */
function refusedHeader(headers, { dev }) {
  if (headers['next-action'] !== undefined)
    return { status: 400, code: 'VALIDATION', detail: 'This console has no server actions.', close: true };
  // An offer of HTTP/2 over plain text may be passed over, and some clients always make it.
  const upgrade = headers.upgrade?.toLowerCase();
  if (upgrade !== undefined && upgrade !== 'h2c' && !dev)
    return { status: 400, code: 'VALIDATION', detail: 'This console speaks HTTP only.', close: true };
  return null;
}

/** @param {import('node:http').IncomingMessage} request @param {string} name */
function countOf({ rawHeaders }, name) {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === name) count += 1;
  return count;
}
