/**
 * One sampler a process reads Redis for everyone: it keeps the latest frame and its age, runs each second while someone
 * watches or has asked lately, and sleeps otherwise. So the cost to Redis is the same for one viewer and for five hundred, and it does
 * not grow with the number of queues: with more than some hundred they are read in turns, and each row says when.
 */
import type { DatasetLoss, QueueReading } from '@/lib/broker';
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
import { sumsOf } from './queue-page';
import { drainMs, ReadingLog, ratesOf, recentDeaths, runTimeQuantile } from './readings';
import { singleton } from './singleton';
import { findingsOf, levelsOf, verdictFrom, verdictOf } from './verdict';

const TICK_MS = 1_000;
/** After the last watcher or request the sampler goes on this long, so that page to page nothing is cold. */
const LINGER_MS = 15_000;
const FRESH_MS = 1_200;
const SLOW_EVERY_MS = 10_000;
const SPARK_MINUTES = 60;
const MOVEMENTS_KEPT = 50;
/** Shards read at a time: 200 queues are all read each second, 10,000 each 25 s. */
const SHARDS_PER_READING = 400;
const MINUTES_PER_READING = 40;

/** So long the verdict says that data were lost: what happened in the night is seen in the morning. */
const LOSS_SAID_FOR_MS = 24 * 3_600_000;

function recentDataLoss(): DatasetLoss | null {
  const { loss } = getBroker().dataset.state();
  return loss !== null && Date.now() - loss.noticedAt < LOSS_SAID_FOR_MS ? loss : null;
}

/** What one reading found: all queues, and what cutting it for others needs. */
export interface Sample {
  /** Lists every queue: `visibleFrame` makes of it what is sent. */
  readonly frame: Frame;
  /** Names of queues whose turn has not come yet. */
  readonly unread: readonly string[];
  /** Queue → how many jobs died in it lately. */
  readonly recentDeaths: ReadonlyMap<string, number>;
  readonly unreadable: readonly string[];
  readonly dataLoss: DatasetLoss | null;
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
  private readonly minutesAt = new Map<string, number>();
  private names: readonly string[] = [];
  private readonly rows = new Map<string, QueueSnapshot>();
  private readonly latest = new Map<string, QueueReading>();
  private readonly unreadable = new Set<string>();
  private nextRow = 0;
  private nextMinutes = 0;
  private readonly lastMovement = new Map<string, string>();
  private slowAt = Number.NEGATIVE_INFINITY;
  private redisInfo: { version: string | null; usedMemoryBytes: number | null } = {
    version: null,
    usedMemoryBytes: null,
  };

  /** The latest of each queue, by name. */
  get readings(): readonly QueueReading[] {
    return this.names.flatMap((name) => this.latest.get(name) ?? []);
  }

  /** One queue, read now when its turn was too long ago; null: it cannot be read, or there is no such queue. */
  async row(name: string): Promise<QueueSnapshot | null> {
    const { frame } = await this.current();
    const known = this.rows.get(name);
    if (known && frame.overview.at - known.at <= FRESH_MS) return known;
    const [reading] = frame.overview.fresh ? await getBroker().inspect.snapshot([name]) : [];
    if (!reading || !this.names.includes(name)) return known ?? null;
    this.take(reading, liveWorkers(frame.workers));
    return this.rows.get(name) ?? null;
  }

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

  /** The data of this Redis are gone: what was read of them is no beginning for what comes. */
  forget(): void {
    this.forgetAllBut([]);
    this.slowAt = Number.NEGATIVE_INFINITY;
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
      if (names !== this.names) this.forgetAllBut(names);
      const turn = this.takeTurn();
      const [readings, workers, lab, operations] = await Promise.all([
        broker.inspect.snapshot(turn),
        broker.workers.list(),
        labEnabled() ? broker.lab.state() : null,
        broker.operations.live(),
      ]);
      const now = readings[0]?.at ?? workers.at;
      this.note(turn, readings);
      await this.readMinutes(now);
      await this.readSlow();
      const movements = await this.readMovements(names.filter((name) => this.latest.has(name)));
      const listening = liveWorkers(workers);
      for (const reading of readings) this.take(reading, listening);
      this.sample = this.compose({ now, listening, workers, lab, operations, movements, roundTripMs });
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
    const dataLoss = recentDataLoss();
    const verdict = verdictOf({ now, redisError: message, dataLoss, queues: [], workers: [] });
    if (last)
      this.sample = {
        ...last,
        dataLoss,
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
        total: 0,
        unread: 0,
        oldestAt: now,
        sums: sumsOf([]),
        queues: [],
      };
      const workers = { at: now, workers: [] };
      this.sample = {
        frame: { overview, workers, lab: null, operations: [], movements: [] },
        recentDeaths: new Map(),
        unreadable: [],
        unread: [],
        dataLoss,
      };
    }
    // readAt stays where it was: the age shown is that of the numbers.
    if (this.readAt === Number.NEGATIVE_INFINITY) this.readAt = performance.now();
  }

  /** The queues whose turn it is: all of them, where they are few. */
  private takeTurn(): readonly string[] {
    const { names } = this;
    const turn: string[] = [];
    if (this.nextRow >= names.length) this.nextRow = 0;
    for (let shards = 0; turn.length < names.length && shards < SHARDS_PER_READING; ) {
      const name = names[(this.nextRow + turn.length) % names.length] ?? '';
      shards += this.latest.get(name)?.shards.count ?? 1;
      turn.push(name);
    }
    this.nextRow = (this.nextRow + turn.length) % Math.max(1, names.length);
    return turn;
  }

  private note(turn: readonly string[], readings: readonly QueueReading[]): void {
    for (const reading of readings) {
      this.latest.set(reading.queue, reading);
      this.unreadable.delete(reading.queue);
    }
    const readable = new Set(readings.map(({ queue }) => queue));
    for (const name of turn) {
      if (readable.has(name)) continue;
      this.unreadable.add(name);
      this.latest.delete(name);
      this.rows.delete(name);
    }
  }

  private forgetAllBut(names: readonly string[]): void {
    this.names = names;
    const known = new Set(names);
    const { minutes, minutesAt, logs, lastMovement, rows, latest, unreadable } = this;
    for (const kept of [minutes, minutesAt, logs, lastMovement, rows, latest, unreadable])
      for (const name of kept.keys()) if (!known.has(name)) kept.delete(name);
  }

  /** Each ten seconds at most, and so many queues a reading. */
  private async readMinutes(now: number): Promise<void> {
    const { names } = this;
    const due: string[] = [];
    const before = performance.now() - SLOW_EVERY_MS;
    let looked = 0;
    for (; looked < names.length && due.length < MINUTES_PER_READING; looked++) {
      const name = names[(this.nextMinutes + looked) % names.length] ?? '';
      if (this.latest.has(name) && (this.minutesAt.get(name) ?? Number.NEGATIVE_INFINITY) <= before)
        due.push(name);
    }
    this.nextMinutes = (this.nextMinutes + looked) % Math.max(1, names.length);
    await Promise.all(
      due.map(async (name) => {
        this.minutes.set(name, await getBroker().inspect.minutes(name, now, SPARK_MINUTES));
        this.minutesAt.set(name, performance.now());
        const row = this.rows.get(name);
        if (row) this.rows.set(name, { ...row, minutes: this.minutes.get(name) ?? [] });
      }),
    );
  }

  /** What changes slowly is read each ten seconds. */
  private async readSlow(): Promise<void> {
    if (performance.now() - this.slowAt <= SLOW_EVERY_MS) return;
    const broker = getBroker();
    this.slowAt = performance.now();
    this.redisInfo = {
      version: (await broker.ready()).version,
      usedMemoryBytes: await broker.inspect.memory(),
    };
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
    listening: ReadonlyMap<string, number>;
    workers: WorkersPage;
    lab: LabState | null;
    operations: Operation[];
    movements: Movement[];
    roundTripMs: number;
  }): Sample {
    const queues: QueueSnapshot[] = [];
    const unread: string[] = [];
    const deaths = new Map<string, number>();
    let oldestAt = input.now;
    for (const name of this.names) {
      const row = this.rows.get(name);
      if (!row) {
        if (!this.unreadable.has(name)) unread.push(name);
        continue;
      }
      const workers = input.listening.get(name) ?? 0;
      queues.push(row.workers === workers ? row : { ...row, workers });
      const died = recentDeaths(this.logOf(name));
      if (died > 0) deaths.set(name, died);
      if (row.at < oldestAt) oldestAt = row.at;
    }
    const unreadable = [...this.unreadable];
    const dataLoss = recentDataLoss();
    const findings = findingsOf({
      now: input.now,
      redisError: null,
      dataLoss,
      unreadable,
      queues: queues.map((snapshot) => ({ snapshot, recentDeaths: deaths.get(snapshot.queue) ?? 0 })),
      workers: input.workers.workers,
    });
    const levels = levelsOf(findings);
    queues.forEach((row, i) => {
      const level = levels.get(row.queue) ?? 'ok';
      const shown = row.level === level ? row : { ...row, level };
      queues[i] = shown;
      this.rows.set(row.queue, shown);
    });
    return {
      recentDeaths: deaths,
      unreadable,
      unread,
      dataLoss,
      frame: {
        overview: {
          at: input.now,
          ageMs: 0,
          fresh: true,
          redis: { ...this.redisInfo, roundTripMs: input.roundTripMs, error: null },
          verdict: verdictFrom(findings),
          total: queues.length,
          unread: unread.length,
          oldestAt,
          sums: sumsOf(queues),
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

  private take(reading: QueueReading, listening: ReadonlyMap<string, number>): void {
    const readingLog = this.logOf(reading.queue);
    readingLog.add(reading);
    const rates = ratesOf(readingLog);
    this.latest.set(reading.queue, reading);
    this.rows.set(reading.queue, {
      queue: reading.queue,
      at: reading.at,
      level: this.rows.get(reading.queue)?.level ?? 'ok',
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
      workers: listening.get(reading.queue) ?? 0,
      minutes: this.minutes.get(reading.queue) ?? [],
    });
  }
}

/** How many live workers listen to each queue. */
function liveWorkers({ workers }: WorkersPage): Map<string, number> {
  const listening = new Map<string, number>();
  for (const { status, queues } of workers)
    if (status === 'running' || status === 'draining')
      for (const queue of Object.keys(queues)) listening.set(queue, (listening.get(queue) ?? 0) + 1);
  return listening;
}

export const getSampler = singleton('sampler', () => new Sampler());
