/** Answers on the bare socket, for what never became a request: broken lines, too many headers, too slow, a tunnel asked for. */
import { STATUS_CODES } from 'node:http';
import { cacheControl, securityHeaders } from './headers.mjs';
import { newNonce } from './response.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */

/** What Node's parser calls them. @type {Record<string, number>} */
const STATUS = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** @param {string | undefined} code */
export const statusOf = (code) => STATUS[code ?? ''] ?? 400;

/** @param {import('node:stream').Duplex} socket @param {number} status @param {Settings} settings */
export function answerRaw(socket, status, settings) {
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
  // Who does not take the answer does not keep the socket either.
  setTimeout(() => socket.destroy(), 2_000).unref();
}
