/**
 * A response with the security headers, written by Next, the front server, or Node itself, which answers with the class its
 * server was given. Bytes that cannot be parsed get no response object: see `refuseSocket`.
 */
import { randomFillSync } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeader, ServerResponse } from 'node:http';
import type { FrontSettings } from './front-settings';
import { pathOf } from './request-target';
import { cacheControl, NEVER_SENT, ROUTE_ENCODING, securityHeaders } from './security-headers';

const NONCE_BYTES = 16;
/** Filled in advance: randomness in small portions costs as much as the other headers together. */
const pool = Buffer.alloc(256 * NONCE_BYTES);
let used = pool.length;

/** 128 random bits in base64, never the same twice. */
export function newNonce(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE_BYTES;
  return pool.toString('base64', used - NONCE_BYTES, used);
}

/** What Node accepts as headers: an object, pairs, or a flat list of names and values. */
type HeadersInput = Record<string, OutgoingHttpHeader | undefined> | readonly unknown[] | null | undefined;

/** The response class for a server with these settings. */
export function frontResponse(settings: FrontSettings) {
  return class FrontResponse<
    Request extends IncomingMessage = IncomingMessage,
  > extends ServerResponse<Request> {
    /** Of this response's content security policy. */
    readonly nonce = newNonce();

    override setHeader(name: string, value: number | string | readonly string[]): this {
      return name === ROUTE_ENCODING
        ? super.setHeader('content-encoding', String(value))
        : super.setHeader(name, value);
    }

    /** Node calls it for every response just before the headers leave. */
    override writeHead(status: number, ...rest: unknown[]): this {
      const reason = typeof rest[0] === 'string' ? rest[0] : undefined;
      const headers = (reason === undefined ? (rest[1] ?? rest[0]) : rest[1]) as HeadersInput;
      for (const [name, value] of pairsOf(headers)) this.setHeader(name, value);
      for (const [name, value] of Object.entries(securityHeaders(this.nonce, settings)))
        this.setHeader(name, value);
      const path = pathOf(this.req.url ?? '/');
      this.setHeader(
        'cache-control',
        cacheControl(path, status, this.getHeader('cache-control'), settings.dev),
      );
      // Next and the routes redirect to paths of the console.
      const location = this.getHeader('location');
      if (typeof location === 'string' && /^\/(?!\/)/.test(location))
        this.setHeader('location', settings.basePath + location);
      for (const name of NEVER_SENT) this.removeHeader(name);
      return reason === undefined ? super.writeHead(status) : super.writeHead(status, reason);
    }
  };
}

type HeaderPair = [name: string, value: OutgoingHttpHeader];

function pairsOf(headers: HeadersInput): HeaderPair[] {
  if (!headers) return [];
  if (!Array.isArray(headers))
    return Object.entries(headers).filter((pair): pair is HeaderPair => pair[1] !== undefined);
  if (Array.isArray(headers[0])) return headers as HeaderPair[];
  return headers.flatMap((name, i): HeaderPair[] => (i % 2 === 0 ? [[name, headers[i + 1]]] : []));
}
