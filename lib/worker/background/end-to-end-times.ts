/** Measures how long completed jobs took from enqueue on, and adds that to the totals of their queues now and then. */
import { type MeasuredTimes, RUN_TIME_BUCKETS_MS } from '@/lib/broker';
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { withCallDeadline } from '../worker-deadline';
import type { Logger, WorkerBroker } from '../worker-types';

const EVERY_MS = 5_000;
const DEADLINE_MS = 5_000;
/** A stopping worker does not wait long for numbers. */
const LAST_DEADLINE_MS = 1_000;
/** Shards with unsent times; those of more are dropped while Redis is away. */
const SHARDS_MAX = 10_000;

export interface EndToEndTimes {
  /** A job was completed, so long after it was enqueued. */
  add(shard: string, ms: number): void;
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

/** The upper bound of its bucket, as the histograms of Redis name it. */
export const bucketOf = (ms: number): string =>
  String(RUN_TIME_BUCKETS_MS.find((bound) => ms <= bound) ?? 'inf');

export function startEndToEndTimes(deps: TimesDeps): EndToEndTimes {
  const { broker, random, logger, onTrouble, everyMs = EVERY_MS } = deps;
  let byShard = new Map<string, Map<string, number>>();

  function put(shard: string, times: MeasuredTimes): void {
    const known = byShard.get(shard) ?? new Map<string, number>();
    if (!byShard.has(shard) && byShard.size >= SHARDS_MAX) return;
    byShard.set(shard, known);
    for (const [bucket, count] of times) known.set(bucket, (known.get(bucket) ?? 0) + count);
  }

  /** An error keeps what may not have been added: it is sent again, and then perhaps counted twice. */
  async function send(deadlineMs: number): Promise<void> {
    const due = byShard;
    byShard = new Map();
    for (const [shard, times] of due) {
      try {
        await withCallDeadline(broker.addTimes(shard, times), deadlineMs, `times of ${shard}`);
        due.delete(shard);
      } catch (error) {
        for (const [rest, unsent] of due) put(rest, unsent);
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
    add(shard, ms) {
      const times = byShard.get(shard);
      const bucket = bucketOf(ms);
      const whole = Math.max(0, Math.round(ms));
      if (!times)
        return put(
          shard,
          new Map([
            [bucket, 1],
            ['sum', whole],
          ]),
        );
      times.set(bucket, (times.get(bucket) ?? 0) + 1);
      times.set('sum', (times.get('sum') ?? 0) + whole);
    },
    async stop() {
      await loop.stop();
      await send(LAST_DEADLINE_MS).catch((error: unknown) => onTrouble('end-to-end times', error));
    },
  };
}
