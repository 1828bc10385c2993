/**
 * The latest numbers of every queue, and their recent past. With more than some hundred queues they are read in turns, so the load on
 * Redis does not grow with their number.
 */
import type { MinuteRunTimes, QueueReading } from '@/lib/broker';
import type { DrainForecast, MinuteCounts, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { getBroker } from '../console-broker';
import { sharedForecasts } from './forecast/shared-workers';
import { drainOf, lastFiveMinutesOf, ratesOf } from './queue-rates';
import { knownRunTimes, runTimeQuantile } from './run-times';

const MINUTE_MS = 60_000;
/** Shards in one reading: 200 queues are all read each second, 10,000 each 25 s. */
const SHARDS_PER_READING = 400;
const MINUTES_PER_READING = 40;
const MINUTES_EVERY_MS = 10_000;
const SPARK_MINUTES = 60;

interface SampledQueue {
  /** Of the latest minutes. Whole minutes change no more, so they are read once. */
  runTimes: readonly MinuteRunTimes[];
  /** Null: not read yet, or unreadable. */
  reading: QueueReading | null;
  row: QueueSnapshot | null;
  /** By its own rates alone, as of the reading. */
  drain: DrainForecast | null;
  isUnreadable: boolean;
  minutes: readonly MinuteCounts[];
  minutesAtMs: number;
}

/** The same row when nothing changed: of many queues only some are read anew. */
const withForecast = (row: QueueSnapshot, workers: number, drain: DrainForecast | null): QueueSnapshot =>
  row.workers === workers && row.drain === drain ? row : { ...row, workers, drain };

export class SampledQueues {
  names: readonly string[] = [];
  private readonly queues = new Map<string, SampledQueue>();
  /** Whether one turn does not read all queues. */
  takesTurns = false;
  private nextTurn = 0;
  /** Forecasts of queues that share their workers, as of the last turn. */
  private shared: ReadonlyMap<string, DrainForecast> = new Map();
  private nextMinutes = 0;

  /** The latest of each queue, by name. */
  get readings(): readonly QueueReading[] {
    return this.names.flatMap((name) => this.queues.get(name)?.reading ?? []);
  }

  get unreadable(): string[] {
    return this.names.filter((name) => this.queues.get(name)?.isUnreadable);
  }

  rowOf(name: string): QueueSnapshot | null {
    return this.queues.get(name)?.row ?? null;
  }

  /** The last hour of a queue, at most ten seconds old where queues are few. */
  minutesOf(name: string): readonly MinuteCounts[] {
    return this.queues.get(name)?.minutes ?? [];
  }

  /** From now on these are all queues. */
  list(names: readonly string[]): void {
    if (names === this.names) return;
    this.names = names;
    const listed = new Set(names);
    for (const name of this.queues.keys()) if (!listed.has(name)) this.queues.delete(name);
  }

  /** The queues to read next: all of them, where they are few. */
  takeTurn(): readonly string[] {
    const { names } = this;
    const turn: string[] = [];
    if (this.nextTurn >= names.length) this.nextTurn = 0;
    for (let shards = 0; turn.length < names.length && shards < SHARDS_PER_READING; ) {
      const name = names[(this.nextTurn + turn.length) % names.length] ?? '';
      shards += this.queues.get(name)?.reading?.shards.count ?? 1;
      turn.push(name);
    }
    this.takesTurns = turn.length < names.length;
    this.nextTurn = (this.nextTurn + turn.length) % Math.max(1, names.length);
    return turn;
  }

  /**
   * From which minute on a reading of the queue should have its run times: that of the last reading was not over, and of the one before
   * it may not have been known between what its runs were.
   */
  runTimesSince(name: string): number {
    return Math.floor((this.queues.get(name)?.reading?.at ?? 0) / MINUTE_MS) - 1;
  }

  /** Takes the readings of a turn; its other queues cannot be read. @param workers live ones by queue */
  addTurn(
    turn: readonly string[],
    readings: readonly QueueReading[],
    workers: ReadonlyMap<string, number>,
  ): void {
    for (const reading of readings) this.add(reading, workers);
    const readable = new Set(readings.map(({ queue }) => queue));
    for (const name of turn)
      if (!readable.has(name))
        Object.assign(this.queueOf(name), { reading: null, row: null, isUnreadable: true });
  }

  add(reading: QueueReading, workers: ReadonlyMap<string, number>): void {
    const sampled = this.queueOf(reading.queue);
    sampled.runTimes = knownRunTimes(sampled.runTimes, sampled.reading, reading);
    sampled.isUnreadable = false;
    sampled.reading = reading;
    sampled.drain = drainOf(reading, workers.get(reading.queue) ?? 0);
    sampled.row = {
      queue: reading.queue,
      at: reading.at,
      level: sampled.row?.level ?? 'ok',
      counts: reading.counts,
      ledger: reading.ledger,
      totals: reading.totals,
      rates: ratesOf(reading),
      oldestReadyAgeMs: reading.oldestReadyAgeMs,
      nextDueAt: reading.nextDueAt,
      overdueLeaseMs: reading.overdueLeaseMs,
      runTimeP95Ms: runTimeQuantile(sampled.runTimes, reading, 0.95),
      lastFiveMinutes: lastFiveMinutesOf(reading),
      objectives: reading.objectives,
      flow: reading.flow,
      drain: this.shared.get(reading.queue) ?? sampled.drain,
      pauses: reading.pauses,
      draining: reading.draining,
      depth: reading.depth,
      throttledTenants: reading.throttledTenants,
      deadExpireAt: reading.deadExpireAt,
      shards: reading.shards,
      workers: workers.get(reading.queue) ?? 0,
    };
  }

  /** Of some queues at a time, each every ten seconds at most. @param now by the clock of Redis */
  async readMinutes(now: number): Promise<void> {
    const { names } = this;
    const due: SampledQueue[] = [];
    const before = performance.now() - MINUTES_EVERY_MS;
    let checked = 0;
    for (; checked < names.length && due.length < MINUTES_PER_READING; checked++) {
      const sampled = this.queues.get(names[(this.nextMinutes + checked) % names.length] ?? '');
      if (sampled?.reading && sampled.minutesAtMs <= before) due.push(sampled);
    }
    this.nextMinutes = (this.nextMinutes + checked) % Math.max(1, names.length);
    await Promise.all(
      due.map(async (sampled) => {
        const queue = sampled.reading?.queue ?? '';
        sampled.minutes = await getBroker().inspect.minutes(queue, now, SPARK_MINUTES);
        sampled.minutesAtMs = performance.now();
      }),
    );
  }

  /** All rows, with the present workers. @param live the workers by queue */
  rows(workers: readonly Worker[], live: ReadonlyMap<string, number>): QueueSnapshot[] {
    const rows = this.names.flatMap((name) => {
      const sampled = this.queues.get(name);
      if (!sampled?.row) return [];
      const count = live.get(name) ?? 0;
      return [withForecast(sampled.row, count, count === 0 ? null : sampled.drain)];
    });
    this.shared = sharedForecasts(rows, workers);
    return rows.map((row) => withForecast(row, row.workers, this.shared.get(row.queue) ?? row.drain));
  }

  /** Queues that were not read yet. */
  get unread(): string[] {
    return this.names.filter((name) => {
      const sampled = this.queues.get(name);
      return !sampled?.row && !sampled?.isUnreadable;
    });
  }

  /** Rows change their level with the verdict, not with a reading. */
  setLevel(row: QueueSnapshot, level: QueueSnapshot['level']): QueueSnapshot {
    const levelled = row.level === level ? row : { ...row, level };
    this.queueOf(row.queue).row = levelled;
    return levelled;
  }

  private queueOf(name: string): SampledQueue {
    let sampled = this.queues.get(name);
    if (!sampled) {
      sampled = {
        runTimes: [],
        reading: null,
        row: null,
        drain: null,
        isUnreadable: false,
        minutes: [],
        minutesAtMs: Number.NEGATIVE_INFINITY,
      };
      this.queues.set(name, sampled);
    }
    return sampled;
  }
}
