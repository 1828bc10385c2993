/**
 * A producer and a real worker under way while a test does its worst to Redis, and a checker of what became of the jobs. The
 * history is kept by the clients: what Redis told the producer, and what the handler ran.
 */
import { z } from 'zod';
import { createWorker, defineHandler } from '@/lib/worker';
import { type Broker, createBroker } from '@/testing/create-broker';
import { until } from '../poll';

export interface History {
  /** Told to the producer to be in Redis. */
  acked: string[];
  /** Asked for, and never answered. Either outcome is right. */
  unknown: string[];
  /** Acked, and neither run nor anywhere in Redis. */
  lost: string[];
  /** Run, and never asked for. */
  unexpected: string[];
  /** Run more than once. */
  repeated: string[];
  runs: number;
  /** While the producer was under way, outages included. */
  ackedPerSecond: number;
  /** Calls that ended in an error, by code and first words. */
  troubles: Map<string, number>;
  /** The longest time between two enqueues that were acknowledged: how long the producer stood still. */
  longestGapMs: number;
}

export interface Load {
  /** Enqueued and acknowledged so far. */
  readonly acked: number;
  readonly runs: number;
  /** Stops the producer, lets the worker finish what is left, and judges. */
  finish(timeoutMs?: number): Promise<History>;
}

export interface LoadOptions {
  url: string;
  queues: readonly string[];
  /** How often an enqueue that was not acknowledged is sent again, under the same id. */
  resends?: number;
  leaseMs?: number;
  /** Accept that jobs acknowledged are missing (a failover may lose them): waits only for what is still there. */
  mayLose?: boolean;
}

const PACE_MS = 3;

export function startLoad({
  url,
  queues,
  resends = 2_000,
  leaseMs = 5_000,
  mayLose = false,
}: LoadOptions): Load {
  const producer = createBroker({ url });
  const consumer = createBroker({ url });
  const asked = new Set<string>();
  const acked = new Set<string>();
  const runs = new Map<string, number>();
  const troubles = new Map<string, number>();
  const note = (error: unknown) => {
    const { code, message } = error as { code?: string; message: string };
    const words = `${code ?? 'ERROR'}: ${message.slice(0, 70)}`;
    troubles.set(words, (troubles.get(words) ?? 0) + 1);
  };
  const worker = createWorker(consumer, {
    queues: Object.fromEntries(queues.map((queue) => [queue, 1])),
    concurrency: 4,
    leaseMs,
    handlers: [
      defineHandler({
        type: 'load',
        schema: z.string(),
        run: (id) => {
          runs.set(id, (runs.get(id) ?? 0) + 1);
        },
      }),
    ],
    onEvent: (event) => event.type === 'trouble' && note(event.error),
  });
  worker.start();

  let stopping = false;
  const startedAtMs = performance.now();
  let lastAckedAtMs = startedAtMs;
  let longestGapMs = 0;
  async function produce(lane: number): Promise<void> {
    for (let i = 0; !stopping; i++) {
      const jobId = `l${lane}-${i}`;
      // A producer to a queue: one that is refused must not keep the others from theirs.
      const queue = queues[lane % queues.length] as string;
      asked.add(jobId);
      for (let tries = 0; tries <= resends; tries++) {
        try {
          await producer.enqueue(queue, { jobId, jobType: 'load', payload: JSON.stringify(jobId) });
          acked.add(jobId);
          longestGapMs = Math.max(longestGapMs, performance.now() - lastAckedAtMs);
          lastAckedAtMs = performance.now();
          // Some hundred a second, so that other tests on this machine get their share of it.
          await new Promise((resolve) => setTimeout(resolve, PACE_MS));
          break;
        } catch (error) {
          note(error);
          // Not a sleep for its own sake: a producer that is refused comes back a little later.
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    }
  }
  const lanes = Array.from({ length: Math.max(2, queues.length) }, (_, lane) => produce(lane));
  const settledQueue = async (broker: Broker, queue: string) => {
    const reading = (await broker.inspect.snapshot([queue]))[0];
    return (
      reading !== undefined && reading.counts.ready + reading.counts['in-flight'] + reading.counts.retry === 0
    );
  };

  return {
    get acked() {
      return acked.size;
    },
    get runs() {
      return runs.size;
    },
    async finish(timeoutMs = 20_000) {
      stopping = true;
      await Promise.all(lanes);
      const ackedPerSecond = (acked.size * 1_000) / (performance.now() - startedAtMs);
      const missing = () => [...acked].filter((id) => !runs.has(id));
      try {
        await until(
          async () =>
            (mayLose || missing().length === 0) &&
            (await Promise.all(queues.map((queue) => settledQueue(producer, queue)))).every(Boolean),
          { what: 'the worker to run what was acknowledged', timeoutMs, everyMs: 50 },
        ).catch((error: Error) => {
          // Judged below, with the ids.
          if (missing().length === 0) throw error;
        });
        await worker.stop();
        return {
          acked: [...acked],
          unknown: [...asked].filter((id) => !acked.has(id)),
          lost: missing(),
          unexpected: [...runs.keys()].filter((id) => !asked.has(id)),
          repeated: [...runs].filter(([, times]) => times > 1).map(([id]) => id),
          runs: [...runs.values()].reduce((sum, times) => sum + times, 0),
          ackedPerSecond,
          troubles,
          longestGapMs,
        };
      } finally {
        await worker.stop({ hurry: true });
        producer.close();
        consumer.close();
      }
    },
  };
}

/** One line for the log of a test run: what it cost, not only that it passed. */
export const summary = (history: History): string =>
  `${history.acked.length} acknowledged, ${history.runs} runs, ${history.lost.length} lost, ${history.repeated.length} repeated, ` +
  `${history.unknown.length} unknown, longest gap ${Math.round(history.longestGapMs)} ms, ` +
  `troubles ${JSON.stringify(Object.fromEntries(history.troubles))}`;
