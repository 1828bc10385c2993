/** The API of a console behind a real port, without Next: for clients that are programs of their own. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { callRoute } from '../worlds/route-caller';

export interface RouteServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Start a console before, see console-server.ts. */
export async function startRouteServer(): Promise<RouteServer> {
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const response = await callRoute(await requestOf(incoming));
      outgoing.writeHead(response.status, [...response.headers].flat());
      if (response.body) await pipeline(Readable.fromWeb(response.body as never), outgoing);
      else outgoing.end();
    };
    answer().catch((error: unknown) => outgoing.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function requestOf(incoming: IncomingMessage): Promise<Request> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const { method = 'GET', url = '/', headers } = incoming;
  return new Request(`http://${headers.host}${url}`, {
    method,
    // The front server, which is not here, names the encoding of an answer.
    headers: Object.entries({ ...headers, 'accept-encoding': 'identity' }).map(
      ([name, value]) => [name, String(value)] as [string, string],
    ),
    ...(parts.length > 0 ? { body: Buffer.concat(parts) } : {}),
  });
}
