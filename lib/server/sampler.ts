/**
 * One sampler a process reads Redis for everyone: it keeps the latest frame and its age, runs each second while someone
 * watches or has asked lately, and sleeps otherwise. So the cost to Redis is the same for one viewer and for five hundred.
 */
import type { QueueReading } from '@/lib/broker';
import { sayable } from '@/lib/broker/redis-errors';
import { RedriveError } from '@/lib/contract/errors';
import { LAB_QUEUES, type LabState } from '@/lib/contract/lab';
import type { Frame, Movement } from '@/lib/contract/live';
import type { Operation } from '@/lib/contract/operations';
import type { Overview, QueueSnapshot } from '@/lib/contract/queue';
import type { WorkersPage } from '@/lib/contract/workers';
import { getBroker } from './broker';
import { labEnabled } from './lab';
import { log } from './log';
import { drainMs, ReadingLog, ratesOf, recentDeaths, runTimeQuantile } from './readings';
import { singleton } from './singleton';
import { verdictOf } from './verdict';

const TICK_MS = 1_000;
/** After the last watcher or request the sampler goes on this long, so that page to page nothing is cold. */
const LINGER_MS = 15_000;
const FRESH_MS = 1_200;
const SLOW_EVERY_MS = 10_000;
const SPARK_MINUTES = 60;
const MOVEMENTS_KEPT = 50;

/** What one reading found: the frame as those see it who may see everything, and what cutting it for others needs. */
export interface Sample {
  readonly frame: Frame;
  /** Queue → how many jobs died in it lately. */
  readonly recentDeaths: ReadonlyMap<string, number>;
  readonly unreadable: readonly string[];
}
export type SampleListener = (sample: Sample) => void;

export class Sampler {
  private sample: Sample | null = null;
  /** Monotonic: how old the numbers are does not depend on anyone's wall clock. */
  private readAt = Number.NEGATIVE_INFINITY;
  private wantedAt = Number.NEGATIVE_INFINITY;
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private readonly listeners = new Set<SampleListener>();
  private readonly logs = new Map<string, ReadingLog>();
  private readonly minutes = new Map<string, QueueSnapshot['minutes']>();
  private readonly lastMovement = new Map<string, string>();
  private slowAt = Number.NEGATIVE_INFINITY;
  private redisInfo: { version: string | null; usedMemoryBytes: number | null } = {
    version: null,
    usedMemoryBytes: null,
  };
  readings: QueueReading[] = [];

  /** Watches every reading until the returned function is called. */
  subscribe(listener: SampleListener): () => void {
    this.listeners.add(listener);
    this.want();
    return () => this.listeners.delete(listener);
  }

  /** The latest reading, made anew when it is older than a tick. Never waits for more than one. */
  async current(): Promise<Sample> {
    this.want();
    if (!this.sample || performance.now() - this.readAt > FRESH_MS) await this.read();
    if (!this.sample) throw new Error('sampler: no sample after a reading');
    return this.aged(this.sample);
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.listeners.clear();
  }

  private aged({ frame, ...rest }: Sample): Sample {
    const ageMs = Math.max(0, Math.round(performance.now() - this.readAt));
    return { ...rest, frame: { ...frame, overview: { ...frame.overview, ageMs } } };
  }

  private want(): void {
    this.wantedAt = performance.now();
    if (!this.timer) this.schedule(0);
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => {
      void this.tick();
    }, delayMs);
    this.timer.unref();
  }

  private async tick(): Promise<void> {
    const started = performance.now();
    await this.read();
    if (this.sample) {
      const sample = this.aged(this.sample);
      for (const listener of this.listeners) listener(sample);
    }
    const idle = this.listeners.size === 0 && performance.now() - this.wantedAt > LINGER_MS;
    if (idle) this.timer = null;
    else this.schedule(Math.max(50, TICK_MS - (performance.now() - started)));
  }

  /** One reading at a time; who asks meanwhile gets the one under way. */
  private read(): Promise<void> {
    this.running ??= this.look().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async look(): Promise<void> {
    const started = performance.now();
    try {
      const broker = getBroker();
      const names = await broker.inspect.queues();
      const roundTripMs = performance.now() - started;
      const [readings, workers, lab, operations] = await Promise.all([
        broker.inspect.snapshot(names),
        broker.workers.list(),
        labEnabled() ? broker.lab.state() : null,
        broker.operations.live(),
      ]);
      this.readings = readings;
      const now = readings[0]?.at ?? workers.at;
      const readable = readings.map((reading) => reading.queue);
      const unreadable = names.filter((name) => !readable.includes(name));
      await this.readSlow(readable, now);
      const movements = await this.readMovements(readable);
      this.sample = this.compose({
        now,
        readings,
        workers,
        lab,
        operations,
        movements,
        roundTripMs,
        unreadable,
      });
      this.readAt = performance.now();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log().warn({ reason }, 'sampler: Redis could not be read');
      this.fail(error instanceof RedriveError ? sayable(error) : 'Redis cannot be read. The log says why.');
    }
  }

  /** Redis is away: keep the last numbers, say that they are old, and why, as far as that is for everybody. */
  private fail(message: string): void {
    const last = this.sample;
    const now = Date.now();
    const verdict = verdictOf({ now, redisError: message, queues: [], workers: [] });
    if (last)
      this.sample = {
        ...last,
        frame: {
          ...last.frame,
          movements: [],
          overview: {
            ...last.frame.overview,
            fresh: false,
            verdict,
            redis: { ...last.frame.overview.redis, roundTripMs: null, error: message },
          },
        },
      };
    else {
      const overview: Overview = {
        at: now,
        ageMs: 0,
        fresh: false,
        redis: { ...this.redisInfo, roundTripMs: null, error: message },
        verdict,
        queues: [],
      };
      const workers = { at: now, workers: [] };
      this.sample = {
        frame: { overview, workers, lab: null, operations: [], movements: [] },
        recentDeaths: new Map(),
        unreadable: [],
      };
    }
    // readAt stays where it was: the age shown is that of the numbers.
    if (this.readAt === Number.NEGATIVE_INFINITY) this.readAt = performance.now();
  }

  /** What changes slowly is read each ten seconds. */
  private async readSlow(names: readonly string[], now: number): Promise<void> {
    const due = performance.now() - this.slowAt > SLOW_EVERY_MS;
    const broker = getBroker();
    for (const name of names)
      if (due || !this.minutes.has(name))
        this.minutes.set(name, await broker.inspect.minutes(name, now, SPARK_MINUTES));
    if (!due) return;
    this.slowAt = performance.now();
    this.redisInfo = {
      version: (await broker.ready()).version,
      usedMemoryBytes: await broker.inspect.memory(),
    };
    const known = new Set(names);
    for (const map of [this.minutes, this.logs, this.lastMovement])
      for (const name of map.keys()) if (!known.has(name)) map.delete(name);
  }

  private async readMovements(names: readonly string[]): Promise<Movement[]> {
    const shown = labEnabled() ? names.filter((name) => Object.hasOwn(LAB_QUEUES, name)) : names.slice(0, 3);
    const parts = await Promise.all(
      shown.map(async (name) => {
        const found = await getBroker().inspect.movements(
          name,
          this.lastMovement.get(name) ?? '',
          MOVEMENTS_KEPT,
        );
        const last = found.at(-1);
        if (last) this.lastMovement.set(name, last.id.slice(name.length + 1));
        return found;
      }),
    );
    return parts
      .flat()
      .sort((a, b) => a.at - b.at)
      .slice(-MOVEMENTS_KEPT);
  }

  private compose(input: {
    now: number;
    readings: readonly QueueReading[];
    workers: WorkersPage;
    lab: LabState | null;
    operations: Operation[];
    movements: Movement[];
    roundTripMs: number;
    unreadable: readonly string[];
  }): Sample {
    const queues = input.readings.map((reading) => this.toSnapshot(reading, input.workers));
    const deaths = new Map(queues.map(({ queue }) => [queue, recentDeaths(this.logOf(queue))]));
    const verdict = verdictOf({
      now: input.now,
      redisError: null,
      unreadable: input.unreadable,
      queues: queues.map((snapshot) => ({ snapshot, recentDeaths: deaths.get(snapshot.queue) ?? 0 })),
      workers: input.workers.workers,
    });
    return {
      recentDeaths: deaths,
      unreadable: input.unreadable,
      frame: {
        overview: {
          at: input.now,
          ageMs: 0,
          fresh: true,
          redis: { ...this.redisInfo, roundTripMs: input.roundTripMs, error: null },
          verdict,
          queues,
        },
        workers: input.workers,
        lab: input.lab,
        operations: input.operations,
        movements: input.movements,
      },
    };
  }

  private logOf(queue: string): ReadingLog {
    let found = this.logs.get(queue);
    if (!found) {
      found = new ReadingLog();
      this.logs.set(queue, found);
    }
    return found;
  }

  private toSnapshot(reading: QueueReading, workers: WorkersPage): QueueSnapshot {
    const readingLog = this.logOf(reading.queue);
    readingLog.add(reading);
    const rates = ratesOf(readingLog);
    return {
      queue: reading.queue,
      counts: reading.counts,
      ledger: reading.ledger,
      totals: reading.totals,
      rates,
      oldestReadyAgeMs: reading.oldestReadyAgeMs,
      nextDueAt: reading.nextDueAt,
      overdueLeaseMs: reading.overdueLeaseMs,
      runTimeP95Ms: runTimeQuantile(readingLog, 0.95),
      drainMs: drainMs(reading.counts.ready, rates),
      pauses: reading.pauses,
      draining: reading.draining,
      depth: reading.depth,
      throttledTenants: reading.throttledTenants,
      deadExpireAt: reading.deadExpireAt,
      shards: reading.shards,
      workers: workers.workers.filter(
        (worker) =>
          (worker.status === 'running' || worker.status === 'draining') &&
          Object.hasOwn(worker.queues, reading.queue),
      ).length,
      minutes: this.minutes.get(reading.queue) ?? [],
    };
  }
}

export const getSampler = singleton('sampler', () => new Sampler());
