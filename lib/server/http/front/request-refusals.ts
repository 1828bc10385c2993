/** Requests that end at the front server, and why. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BODY_MAX_BYTES, BODY_TOO_LARGE } from '@/lib/contract/body-limit';
import { isOwnHost } from '../own-host';
import type { FrontSettings } from './front-settings';
import type { Refusal } from './refusal-response';
import { isProbe, pathOf, refusedTarget } from './request-target';

const READS = new Set(['GET', 'HEAD']);
const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const API_METHODS = [...READS, ...CHANGES].join(', ');

/** Null: the request goes on to Next. */
export function refusalOf(request: IncomingMessage, settings: FrontSettings): Refusal | null {
  const { method = 'GET', headers, url = '/' } = request;
  const target = refusedTarget(url, settings);
  if (target) return target;
  const path = pathOf(url);
  if (!isProbe(path) && (countOf(request, 'host') > 1 || !isOwnHost(headers.host, settings.hosts)))
    return {
      code: 'HOST_REFUSED',
      detail: `This console is ${settings.origin}. Open it there, or add the host to REDRIVE_ALLOWED_HOSTS.`,
    };
  const isApi = path.startsWith('/api/');
  if (!READS.has(method) && !(isApi && CHANGES.has(method)))
    return {
      code: 'METHOD_NOT_ALLOWED',
      detail: `${method} is not answered here.`,
      allow: isApi ? API_METHODS : 'GET, HEAD',
      close: true,
    };
  return refusedBody(method, headers) ?? refusedHeader(headers, settings);
}

function refusedBody(method: string, headers: IncomingHttpHeaders): Refusal | null {
  const bytes = Number(headers['content-length'] ?? 0);
  if (READS.has(method) && (bytes > 0 || headers['transfer-encoding'] !== undefined))
    return { code: 'VALIDATION', detail: `${method} takes no body.`, close: true };
  return bytes > BODY_MAX_BYTES ? { code: 'BODY_TOO_LARGE', detail: BODY_TOO_LARGE, close: true } : null;
}

function refusedHeader(headers: IncomingHttpHeaders, { dev }: FrontSettings): Refusal | null {
  if (headers['next-action'] !== undefined)
    return { code: 'VALIDATION', detail: 'This console has no server actions.', close: true };
  // An offer of HTTP/2 over plain text may be ignored, and some clients always make it.
  const upgrade = headers.upgrade?.toLowerCase();
  if (upgrade !== undefined && upgrade !== 'h2c' && !dev)
    return { code: 'VALIDATION', detail: 'This console speaks HTTP only.', close: true };
  return null;
}

function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === name) count += 1;
  return count;
}
