/** So many requests at once over kept connections, for some time. Node's own client: it costs less than the server it measures. */
import { Agent, type IncomingMessage, request } from 'node:http';
import type { BenchServer } from '../harness/bench-server';
import { processUs } from '../harness/machine';

export const CONCURRENCY = 20;

export interface Load {
  readonly port: number;
  /** Of the console. */
  readonly pid: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: object | undefined;
}

export interface Rate {
  perSecond: number;
  /** Processor time of console and Redis for one request: it repeats where rates swing with the machine. */
  cpuUs: number;
}

/** How many were answered 200. @throws Error when one was answered otherwise */
export async function measureRate(load: Load, server: BenchServer, forMs: number): Promise<Rate> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  try {
    const cpuUs = async () => (await server.cpuUs()) + processUs(load.pid);
    const cpuBefore = await cpuUs();
    const start = performance.now();
    const until = start + forMs;
    let done = 0;
    const loop = async () => {
      while (performance.now() < until) {
        await once(load, agent);
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, loop));
    const seconds = (performance.now() - start) / 1_000;
    return { perSecond: done / seconds, cpuUs: ((await cpuUs()) - cpuBefore) / done };
  } finally {
    agent.destroy();
  }
}

function once({ port, method, path, headers, body }: Load, agent: Agent): Promise<void> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const own = {
      ...headers,
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    };
    const sent = request(
      { host: '127.0.0.1', port, method, path, agent, headers: own, timeout: 20_000 },
      (response: IncomingMessage) => {
        let answer = '';
        response.on('data', (part: Buffer) => {
          if (response.statusCode !== 200) answer += part.toString();
        });
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve();
          else
            reject(
              new Error(`${method} ${path} was answered ${response.statusCode}: ${answer.slice(0, 300)}`),
            );
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} was not answered in 20 s`)));
    sent.on('error', reject);
    sent.end(text);
  });
}
