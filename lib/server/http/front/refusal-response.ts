/** The front server's own responses: a problem document (RFC 9457) under /api, plain text elsewhere, plain bytes without a request. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ERROR_TABLE, type ErrorCode } from '@/lib/contract/redrive-error';
import { newNonce } from './front-response';
import type { FrontSettings } from './front-settings';
import { pathOf } from './request-target';
import { cacheControl, securityHeaders } from './security-headers';

export interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
  /** The Allow header. */
  readonly allow?: string;
  /** Ends the connection: the rest of the request is not read. */
  readonly close?: boolean;
  readonly retryAfterSeconds?: number;
}

/** Answers a request that goes no further. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { code, detail, allow, close, retryAfterSeconds }: Refusal,
): void {
  const requestId = randomUUID();
  const { status, title } = ERROR_TABLE[code];
  const type = `urn:redrive:problem:${code.toLowerCase().replaceAll('_', '-')}`;
  const isProblem = code === 'HOST_REFUSED' || pathOf(request.url ?? '/').startsWith('/api/');
  const text = isProblem
    ? JSON.stringify({ type, title, status, code, detail, requestId })
    : `${status} ${STATUS_CODES[status]}. ${detail}\n`;
  response.writeHead(status, {
    'content-type': isProblem ? 'application/problem+json' : 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': requestId,
    ...(allow ? { allow } : {}),
    ...(retryAfterSeconds ? { 'retry-after': String(retryAfterSeconds) } : {}),
    ...(close ? { connection: 'close' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}

/** Codes of Node's parser. */
const PARSER_STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};
export const parserStatus = (code: string | undefined): number => PARSER_STATUS[code ?? ''] ?? 400;

/** Answers on the bare socket when there is no request: broken lines, too many headers, a slow client, a tunnel. */
export function refuseSocket(socket: Duplex, status: number, settings: FrontSettings): void {
  const body = `${status} ${STATUS_CODES[status]}\n`;
  const headers = {
    ...securityHeaders(newNonce(), settings),
    'cache-control': cacheControl('/', status, undefined, settings.dev),
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  // A client that does not read the answer does not keep the socket either.
  setTimeout(() => socket.destroy(), 2_000).unref();
}
