/** The HTTP server in front of Next: refuses bad requests, cleans the headers of the others, and limits the time of each. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { withoutPublicPath } from '@/lib/server/settings/public-path';
import { networkOf } from '../client-network';
import { cleanHeaders, clientAddress } from './clean-headers';
import { frontResponse } from './front-response';
import type { FrontSettings } from './front-settings';
import { PageRate } from './page-rate';
import { parserStatus, type Refusal, refuseSocket, sendRefusal } from './refusal-response';
import { refusalOf } from './request-refusals';

export { frontSettings } from './front-settings';

const LIMITS = {
  /** Request line and headers together. */
  maxHeaderSize: 16 * 1024,
  /** For all headers to arrive … */
  headersTimeout: 5_000,
  /** … and for the whole request. */
  requestTimeout: 30_000,
  /** How often those two are checked. */
  connectionsCheckingInterval: 1_000,
};
const REQUESTS_PER_CONNECTION = 1_000;
const IDLE_MS = 5_000;
/** A proxy keeps its connections for about a minute, and must not find one closed just when it uses it. */
const IDLE_BEHIND_PROXY_MS = 65_000;

/** In all: 500 live streams, and room for other requests. */
const CONNECTIONS_MAX = 2_000;
/** Of one network: all the streams there can be, and requests beside them. */
export const CONNECTIONS_PER_NETWORK_MAX = 600;

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** `handle`: Next's request handler. */
export function frontServer(settings: FrontSettings, handle: Handler): Server {
  const pages = new PageRate(settings.pageRateFactor);
  const server = createServer(
    {
      ...LIMITS,
      keepAliveTimeout: settings.trustProxy > 0 ? IDLE_BEHIND_PROXY_MS : IDLE_MS,
      ServerResponse: frontResponse(settings),
    },
    (request, response) => {
      request.url = withoutPublicPath(request.url ?? '/', settings.basePath);
      const refusal = refusalOf(request, settings) ?? rateRefusal(request, pages, settings);
      if (refusal) return sendRefusal(request, response, refusal);
      cleanHeaders(request, response.nonce, settings);
      handle(request, response).catch((error: unknown) => {
        console.error('A request failed in the server itself:', error);
        if (response.headersSent) response.destroy();
        else sendRefusal(request, response, { code: 'INTERNAL', detail: 'See the log of the console.' });
      });
    },
  );
  limitConnections(server, settings);
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // A client could not separate a second response from the one under way.
    const isAnswering = (socket as { _httpMessage?: ServerResponse })._httpMessage?.headersSent;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) socket.destroy(error);
    else refuseSocket(socket, parserStatus(error.code), settings);
  });
  server.on('connect', (_, socket) => refuseSocket(socket, 405, settings));
  return server;
}

function rateRefusal(
  request: IncomingMessage,
  pages: PageRate,
  { trustProxy }: FrontSettings,
): Refusal | null {
  const waitMs = pages.take(request, clientAddress(request, trustProxy));
  if (waitMs === 0) return null;
  return {
    code: 'RATE_LIMITED',
    detail: 'Too many pages were requested from your address. Wait a moment, then reload.',
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  };
}

/** One network must not hold all connections. Behind a proxy all connections are the proxy's, so the proxy has to limit them. */
function limitConnections(server: Server, { trustProxy }: FrontSettings): void {
  server.maxConnections = CONNECTIONS_MAX;
  if (trustProxy > 0) return;
  const counts = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(clientAddress({ socket, headers: {} }, 0));
    const count = counts.get(network) ?? 0;
    if (count >= CONNECTIONS_PER_NETWORK_MAX) {
      socket.destroy();
      return;
    }
    counts.set(network, count + 1);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
  });
}
