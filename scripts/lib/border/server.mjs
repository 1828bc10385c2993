/** The console's HTTP server: what must be refused is, the rest goes on with clean headers, and nothing may take for ever. */
import { createServer } from 'node:http';
import { clientAddress } from './address.mjs';
import { answer } from './answer.mjs';
import { limitConnections } from './connections.mjs';
import { cleanHeaders } from './incoming.mjs';
import { PageRate } from './page-rate.mjs';
import { answerRaw, statusOf } from './raw.mjs';
import { refusalOf } from './refusals.mjs';
import { borderResponse } from './response.mjs';

/** @typedef {import('./settings.mjs').Settings} Settings */
/** @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>} Handle */

const LIMITS = {
  /** Request line and headers together. */
  maxHeaderSize: 16 * 1024,
  /** For all headers to come in … */
  headersTimeout: 5_000,
  /** … and for the whole request. */
  requestTimeout: 30_000,
  /** How often those two are looked at. */
  connectionsCheckingInterval: 1_000,
};
const REQUESTS_PER_CONNECTION = 1_000;
const IDLE_MS = 5_000;
/** A proxy keeps its connections for a minute or so, and must not find one closed just when it uses it. */
const IDLE_BEHIND_PROXY_MS = 65_000;

/** @param {Settings} settings @param {Handle} handle */
export function borderServer(settings, handle) {
  const Response = borderResponse(settings);
  const pages = new PageRate(settings.pageRateFactor);
  const server = createServer(
    {
      ...LIMITS,
      keepAliveTimeout: settings.trustProxy > 0 ? IDLE_BEHIND_PROXY_MS : IDLE_MS,
      ServerResponse: Response,
    },
    (request, response) => {
      const refusal = refusalOf(request, settings) ?? tooOften(request, pages, settings);
      if (refusal) return answer(request, response, refusal);
      cleanHeaders(request, response.nonce, settings);
      handle(request, response).catch((error) => {
        console.error('A request failed in the server itself:', error);
        if (response.headersSent) response.destroy();
        else
          answer(request, response, {
            status: 500,
            code: 'INTERNAL',
            detail: 'The log of the console has it.',
          });
      });
    },
  );
  limitConnections(server, settings);
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION;
  server.on('clientError', (/** @type {NodeJS.ErrnoException} */ error, socket) => {
    // A response may be under way on it; another could not be told from that one.
    const busy = /** @type {any} */ (socket)._httpMessage?.headersSent;
    if (error.code === 'ECONNRESET' || !socket.writable || busy) socket.destroy(error);
    else answerRaw(socket, statusOf(error.code), settings);
  });
  server.on('connect', (_, socket) => answerRaw(socket, 405, settings));
  return server;
}

/** @param {import('node:http').IncomingMessage} request @param {PageRate} pages @param {Settings} settings */
function tooOften(request, pages, { trustProxy }) {
  const address = clientAddress(request.socket.remoteAddress, request.headers['x-forwarded-for'], trustProxy);
  const waitMs = pages.take(request, address);
  if (waitMs === 0) return null;
  return {
    status: 429,
    code: 'RATE_LIMITED',
    detail: 'Too many pages were asked for from your address. Wait a moment and load it again.',
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  };
}
