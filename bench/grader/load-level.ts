/** One level of load: a fresh Redis with a backlog, four client processes with so many loops each, some seconds. */
import { nowMs } from '../harness/bench-child';
import { type BenchProcess, startProcess } from '../harness/bench-process';
import { startServer } from '../harness/bench-server';
import { quantile } from '../harness/statistics';
import type { Latencies, Operation } from './grader-client';

export const CLIENTS = 4;
const QUEUE = 'graded';
/** To have everybody started, and warm. */
const LEAD_MS = 1_500;

export interface Level {
  /** Loops in each client: so many calls are under way at once. */
  loops: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** By operation. */
  p99: Record<Operation, number>;
  redisUsPerOperation: number;
}

export interface LevelOptions {
  readonly file: string;
  readonly loops: number;
  readonly forMs: number;
  readonly backlog: number;
}

export async function measureLevel({ file, loops, forMs, backlog }: LevelOptions): Promise<Level> {
  const server = await startServer();
  const clients: BenchProcess[] = [];
  try {
    for (let i = 0; i < CLIENTS; i++) clients.push(await startProcess(`client ${i + 1}`, file));
    await Promise.all(clients.map((client) => client.ask('open', { path: server.path })));
    const [first] = clients;
    if (!first) throw new Error('There is no client.');
    await first.ask('backlog', { queue: QUEUE, count: backlog }, 120_000);
    const fromMs = nowMs() + LEAD_MS;
    const untilMs = fromMs + forMs;
    const before = await server.cpuUs();
    const all = await Promise.all(
      clients.map((client, i) =>
        client.ask<Latencies>(
          'run',
          { queue: QUEUE, worker: `grader-${i + 1}`, loops, fromMs, untilMs },
          forMs + LEAD_MS + 30_000,
        ),
      ),
    );
    // The lead is in it, too: near enough for a figure beside the point.
    const redisUs = ((await server.cpuUs()) - before) * (forMs / (forMs + LEAD_MS));
    const books = await first.ask<{ ready: number; inFlight: number; difference: number }>('books', {
      queue: QUEUE,
    });
    if (books.ready !== backlog || books.inFlight !== 0 || books.difference !== 0)
      throw new Error(`The queue should be as before, but it is ${JSON.stringify(books)}.`);
    return summarise(loops, forMs, redisUs, all);
  } finally {
    await Promise.all(
      clients.map(async (client) => {
        await client.ask('close', {}, 5_000).catch(() => undefined);
        await client.leave();
      }),
    );
    await server.stop();
  }
}

export function summarise(
  loops: number,
  forMs: number,
  redisUs: number,
  clients: readonly Latencies[],
): Level {
  const of = (operation: Operation) => clients.flatMap((client) => client[operation]);
  const ms = (values: readonly number[], share: number) => quantile(values, share) / 1_000;
  const every = [...of('enqueue'), ...of('claim'), ...of('ack')];
  return {
    loops,
    perSecond: (every.length / forMs) * 1_000,
    p50Ms: ms(every, 0.5),
    p99Ms: ms(every, 0.99),
    p99: { enqueue: ms(of('enqueue'), 0.99), claim: ms(of('claim'), 0.99), ack: ms(of('ack'), 0.99) },
    redisUsPerOperation: redisUs / every.length,
  };
}
