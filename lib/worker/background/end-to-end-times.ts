/** Measures how long completed jobs took from enqueue on, and adds that to the totals of their queues now and then. */
import { type MeasuredTimes, RUN_TIME_BUCKETS_MS } from '@/lib/broker/application';
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { withCallDeadline } from '../worker-deadline';
import type { Logger, WorkerBroker } from '../worker-types';

const EVERY_MS = 5_000;
const DEADLINE_MS = 5_000;
/** A stopping worker does not wait long for numbers. */
const LAST_DEADLINE_MS = 1_000;
/** Queues with unsent times; those of more are dropped while Redis is away. */
const QUEUES_MAX = 10_000;

export interface EndToEndTimes {
  /** A job was completed, so long after it was enqueued. */
  add(queue: string, ms: number): void;
  /** Sends the rest. */
  stop(): Promise<void>;
}

export interface TimesDeps {
  readonly broker: Pick<WorkerBroker, 'addTimes'>;
  readonly random: () => number;
  readonly logger: Logger;
  onTrouble(where: string, error: unknown): void;
  readonly everyMs?: number;
}

const BOUNDS: readonly number[] = RUN_TIME_BUCKETS_MS;
/** What the numbers of a queue are of: the buckets, by their upper bounds, and the sum. */
const FIELDS = [...BOUNDS.map(String), 'inf', 'sum'];
const SUM = FIELDS.length - 1;

/** Every completed job asks. */
function bucketOf(ms: number): number {
  let i = 0;
  while (i < BOUNDS.length && ms > (BOUNDS[i] ?? 0)) i += 1;
  return i;
}

export function startEndToEndTimes(deps: TimesDeps): EndToEndTimes {
  const { broker, random, logger, onTrouble, everyMs = EVERY_MS } = deps;
  let byQueue = new Map<string, number[]>();

  function numbersOf(queue: string): number[] {
    let numbers = byQueue.get(queue);
    if (!numbers) {
      numbers = FIELDS.map(() => 0);
      if (byQueue.size < QUEUES_MAX) byQueue.set(queue, numbers);
    }
    return numbers;
  }

  /** An error keeps what may not have been added: it is sent again, and then perhaps counted twice. */
  async function send(deadlineMs: number): Promise<void> {
    const due = byQueue;
    byQueue = new Map();
    for (const [queue, numbers] of due) {
      try {
        await withCallDeadline(broker.addTimes(queue, measured(numbers)), deadlineMs, `times of ${queue}`);
        due.delete(queue);
      } catch (error) {
        for (const [rest, unsent] of due) {
          const kept = numbersOf(rest);
          for (const [i, count] of unsent.entries()) kept[i] = (kept[i] ?? 0) + count;
        }
        throw error;
      }
    }
  }

  const loop: BackgroundLoop = startBackgroundLoop({
    name: 'adding up times from enqueue to completion',
    everyMs,
    firstInMs: everyMs,
    random,
    logger,
    keepsProcess: false,
    run: () => send(DEADLINE_MS),
    onTrouble: (error) => onTrouble('end-to-end times', error),
  });
  return {
    add(queue, ms) {
      const numbers = numbersOf(queue);
      const bucket = bucketOf(ms);
      numbers[bucket] = (numbers[bucket] ?? 0) + 1;
      numbers[SUM] = (numbers[SUM] ?? 0) + Math.max(0, Math.round(ms));
    },
    async stop() {
      await loop.stop();
      await send(LAST_DEADLINE_MS).catch((error: unknown) => onTrouble('end-to-end times', error));
    },
  };
}

const measured = (numbers: readonly number[]): MeasuredTimes =>
  new Map(FIELDS.map((field, i) => [field, numbers[i] ?? 0] as const).filter(([, count]) => count > 0));
