/**
 * A response that carries the border's headers, whatever writes it: Next, its static files, the border, or Node itself, which
 * makes its answers of the class the server was given. Only what cannot be parsed has no response: see raw.mjs.
 */
import { randomFillSync } from 'node:crypto';
import { ServerResponse } from 'node:http';
import { cacheControl, NEVER_SENT, securityHeaders } from './headers.mjs';
import { pathOf } from './target.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */

const NONCE_BYTES = 16;
/** Asked for in advance: randomness in small portions costs as much as the rest of a response's headers. */
const pool = Buffer.alloc(256 * NONCE_BYTES);
let used = pool.length;

export function newNonce() {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE_BYTES;
  return pool.toString('base64', used - NONCE_BYTES, used);
}

/** @param {Settings} settings */
export function borderResponse(settings) {
  return class BorderResponse extends ServerResponse {
    /** Of this response's policy. */
    nonce = newNonce();

    /**
     * Node calls it for every response, also when nobody else does, just before the headers leave.
     * @param {number} status @param {any} [reason] @param {any} [headers]
     * @override
     */
    writeHead(status, reason, headers) {
      const hasReason = typeof reason === 'string';
      for (const [name, value] of pairsOf(hasReason ? headers : (headers ?? reason)))
        this.setHeader(name, value);
      const path = pathOf(this.req.url ?? '/');
      for (const [name, value] of Object.entries(securityHeaders(this.nonce, settings)))
        this.setHeader(name, value);
      this.setHeader(
        'cache-control',
        cacheControl(path, status, this.getHeader('cache-control'), settings.dev),
      );
      for (const name of NEVER_SENT) this.removeHeader(name);
      return hasReason ? super.writeHead(status, reason) : super.writeHead(status);
    }
  };
}

/** Node takes headers as an object, as pairs, or flat: name, value, name, value. @param {any} headers @returns {[string, any][]} */
function pairsOf(headers) {
  if (!headers) return [];
  if (!Array.isArray(headers)) return Object.entries(headers).filter(([, value]) => value !== undefined);
  if (Array.isArray(headers[0])) return headers;
  return headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1]]] : []));
}
