/** A receiver of alerts on loopback: a real HTTP server that records what it gets, and answers as a test wants. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { until } from '../poll';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
/** How to answer the request; `count`: it is the first, the second, … */
type Answer = (response: ServerResponse, count: number) => void;

export interface AlertReceiver {
  readonly url: string;
  /** As the alert configuration allows it. */
  readonly host: string;
  readonly received: readonly ReceivedRequest[];
  /** Requests whose connection has ended. */
  readonly closed: number;
  /** From now on; the first answer is an empty 200. */
  answerWith(answer: Answer | number): void;
  /** Resolves once so many requests have come. */
  waitFor(count: number): Promise<readonly ReceivedRequest[]>;
  stop(): Promise<void>;
}

export async function startAlertReceiver(tls?: {
  readonly cert: string;
  readonly key: string;
}): Promise<AlertReceiver> {
  const received: ReceivedRequest[] = [];
  let closed = 0;
  let answer: Answer = (response) => response.end();
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    response.on('close', () => {
      closed += 1;
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') });
      answer(response, received.length);
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${tls ? 'https' : 'http'}://${host}`,
    host,
    received,
    get closed() {
      return closed;
    },
    answerWith(next) {
      answer = typeof next === 'number' ? (response) => response.writeHead(next).end() : next;
    },
    waitFor: (count) =>
      until(() => (received.length >= count ? received : null), {
        what: `${count} requests to the receiver`,
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
