/**
 * The one reader of Redis in a process, for all viewers: it keeps the latest frame and its age, runs each second while somebody watches or
 * has asked lately, and pauses otherwise. So the load on Redis is the same for one viewer and for five hundred.
 */

import type { DatasetLoss, QueueReading } from '@/lib/broker';
import { shownAlert } from '@/lib/broker/alerts';
import type { RedisTrouble } from '@/lib/broker/redis/checks/redis-trouble';
import type { OverdueSchedule } from '@/lib/broker/schedules/overdue-schedules';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { countUrgent } from '@/lib/contract/alerts/urgent-alerts';
import { errorText } from '@/lib/contract/describe-error';
import type { Frame } from '@/lib/contract/live/live-frame';
import type { MinuteCounts, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { getRedisAlert } from '../alerts/memory/own-redis-alert';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { getPlugIns } from '../plug-ins';
import { shownMessage } from '../shown-error';
import { singleton } from '../singleton';
import { type FullOverview, sumsOf } from './page-of-queues';
import { SampledQueues } from './sampled-queues';
import { FailingTypes } from './verdict/failing-types';
import type { NewFailure } from './verdict/failure-findings';
import { NewFailures } from './verdict/new-failures';
import type { FailingType } from './verdict/queue-rules';
import { withoutKnownJobs } from './verdict/unknown-job-findings';
import { evaluate, verdictFrom } from './verdict/verdict';

const TICK_MS = 1_000;
/** The sampler runs this long after the last watcher or request, so that the next page finds fresh numbers. */
const LINGER_MS = 15_000;
const FRESH_MS = 1_200;
const REDIS_INFO_EVERY_MS = 10_000;
const SAY_UNREAD_EVERY_MS = 60_000;
/** A run that is late by less is about to be enqueued. */
const OVERDUE_MS = 60_000;

/** All that was read, with every number of every queue. */
export type FullFrame = Omit<Frame, 'overview' | 'watched'> & { readonly overview: FullOverview };

/** The result of one reading: all queues, and the data that `visibleFrame` needs to limit it to a viewer. */
export interface Sample {
  /** The same number, the same data (but for their age). */
  readonly version: number;
  readonly frame: FullFrame;
  /** Names of queues that were not read yet. */
  readonly unread: readonly string[];
  readonly unreadable: readonly string[];
  /** Members of the registry of queues that are not read because there are too many. */
  readonly unreadNames: number;
  readonly dataLoss: DatasetLoss | null;
  readonly redisTrouble: readonly RedisTrouble[];
  readonly overdue: readonly OverdueSchedule[];
  /** Failure groups that were first seen within the hour. */
  readonly failures: readonly NewFailure[];
  /** Failing queues whose failed runs are mostly of one job type. */
  readonly failingTypes: ReadonlyMap<string, FailingType>;
  /** All that stand, for the counts of viewers who see some of them. */
  readonly alerts: readonly Alert[];
}
type SampleListener = (sample: Sample) => void;

export class Sampler {
  private sample: Sample | null = null;
  private version = 0;
  /** By the monotonic clock, so that the age of the numbers does not depend on a wall clock. */
  private readAtMs = Number.NEGATIVE_INFINITY;
  /** The sample is from before a data loss: the next call reads anew, however young it is. */
  private isOutdated = false;
  private wantedAtMs = Number.NEGATIVE_INFINITY;
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private readonly listeners = new Set<SampleListener>();
  private readonly queues = new SampledQueues();
  private redisInfo = { version: null as string | null, usedMemoryBytes: null as number | null };
  private redisInfoAtMs = Number.NEGATIVE_INFINITY;
  private redisTrouble: readonly RedisTrouble[] = [];
  private overdue: readonly OverdueSchedule[] = [];
  private alerts: readonly Alert[] = [];
  private unreadNames = 0;
  private saidUnreadAtMs = Number.NEGATIVE_INFINITY;
  private readonly failingTypes = new FailingTypes((queue) => getBroker().inspect.typeRuns(queue));
  private readonly newFailures = new NewFailures((scope) => getBroker().inspect.groups(scope));

  /** The latest of each queue, by name. */
  get readings(): readonly QueueReading[] {
    return this.queues.readings;
  }

  /** One queue, read now when its last reading is too old; null: it cannot be read, or there is no such queue. */
  async row(name: string): Promise<QueueSnapshot | null> {
    const { frame } = await this.current();
    const known = this.queues.rowOf(name);
    if (known && frame.overview.at - known.at <= FRESH_MS) return known;
    const [reading] = frame.overview.fresh
      ? await getBroker().inspect.snapshot([name], () => this.queues.runTimesSince(name))
      : [];
    if (!reading || !this.queues.names.includes(name)) return known;
    this.queues.add(reading, liveWorkers(frame.workers));
    return this.queues.rowOf(name);
  }

  /** The same for a queue that Redis has: one made after the last reading is read as well. */
  async rowOfNew(name: string): Promise<QueueSnapshot | null> {
    // A reading under way may have listed the queues before this one was made.
    await this.running;
    if (!this.queues.names.includes(name)) await this.read();
    return this.row(name);
  }

  /** The last hour of a queue, at most ten seconds old where queues are few. */
  minutesOf(name: string): readonly MinuteCounts[] {
    return this.queues.minutesOf(name);
  }

  /** Watches every reading until the returned function is called. */
  subscribe(listener: SampleListener): () => void {
    this.listeners.add(listener);
    this.want();
    return () => this.listeners.delete(listener);
  }

  /** The latest reading, or a new one when it is older than a tick. Never waits for more than one. */
  async current(): Promise<Sample> {
    this.want();
    if (!this.sample || this.isOutdated || performance.now() - this.readAtMs > FRESH_MS) await this.read();
    if (!this.sample) throw new Error('sampler: no sample after a reading');
    return this.aged(this.sample);
  }

  /** A reading at most so old, for which the sampler does not keep running: unless queues are so many that it reads them in turns. */
  async recent(maxAgeMs: number): Promise<Sample> {
    if (this.queues.takesTurns) return this.current();
    if (!this.sample || this.isOutdated || performance.now() - this.readAtMs > maxAgeMs) await this.read();
    if (!this.sample) throw new Error('sampler: no sample after a reading');
    return this.aged(this.sample);
  }

  /** Redis lost its data: rates must not compare new counters with old ones. */
  forget(): void {
    this.queues.list([]);
    this.redisInfoAtMs = Number.NEGATIVE_INFINITY;
    this.isOutdated = true;
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.listeners.clear();
  }

  private aged({ frame, ...rest }: Sample): Sample {
    const ageMs = Math.max(0, Math.round(performance.now() - this.readAtMs));
    return { ...rest, frame: { ...frame, overview: { ...frame.overview, ageMs } } };
  }

  private want(): void {
    this.wantedAtMs = performance.now();
    if (!this.timer) this.schedule(0);
  }

  private schedule(delayMs: number): void {
    this.timer = setTimeout(() => void this.tick(), delayMs).unref();
  }

  private async tick(): Promise<void> {
    const startedAtMs = performance.now();
    await this.read();
    if (this.sample) {
      const sample = this.aged(this.sample);
      for (const listener of this.listeners) listener(sample);
    }
    const idle = this.listeners.size === 0 && performance.now() - this.wantedAtMs > LINGER_MS;
    if (idle) this.timer = null;
    else this.schedule(Math.max(50, TICK_MS - (performance.now() - startedAtMs)));
  }

  /** One reading at a time; calls meanwhile share it. */
  private read(): Promise<void> {
    this.running ??= this.look().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async look(): Promise<void> {
    const startedAtMs = performance.now();
    this.isOutdated = false;
    try {
      const broker = getBroker();
      const loss = broker.dataset.loss();
      // Awaited after what is timed.
      loss.catch(() => undefined);
      const names = await broker.inspect.queues();
      const roundTripMs = performance.now() - startedAtMs;
      const dataLoss = await loss;
      this.unreadNames = broker.inspect.unreadNames();
      this.sayUnread();
      this.queues.list(names);
      const turn = this.queues.takeTurn();
      const [readings, workers, operations, alerts] = await Promise.all([
        broker.inspect.snapshot(turn, (name) => this.queues.runTimesSince(name)),
        broker.workers.list().then(withoutKnownJobs),
        broker.operations.live(),
        broker.alerts.live(),
      ]);
      this.alerts = alerts.map(shownAlert);
      const now = readings[0]?.at ?? workers.at;
      this.queues.addTurn(turn, readings, liveWorkers(workers));
      await this.queues.readMinutes(now);
      await this.readRedisInfo();
      const rows = this.queues.rows(workers.workers, liveWorkers(workers));
      await this.failingTypes.look(rows, now);
      this.sample = this.compose(rows, now, roundTripMs, { workers, operations }, dataLoss);
      this.readAtMs = performance.now();
    } catch (error) {
      const reason = errorText(error);
      log().warn({ reason }, 'sampler: Redis could not be read');
      this.fail(
        error instanceof RedriveError ? shownMessage(error) : 'Redis cannot be read. The log says why.',
      );
    }
  }

  /** Redis is unavailable: the last numbers stay, marked as stale. @param message for all viewers */
  private fail(message: string): void {
    const now = Date.now();
    const last = this.sample ?? emptySample(now);
    const { dataLoss } = last;
    const alerts = this.standingAlerts();
    this.version += 1;
    this.sample = {
      ...last,
      version: this.version,
      alerts,
      frame: {
        ...last.frame,
        overview: {
          ...last.frame.overview,
          fresh: false,
          verdict: evaluate({ now, redisError: message, dataLoss, queues: [], workers: [] }).verdict,
          alerts: countUrgent(alerts),
          redis: { ...last.frame.overview.redis, roundTripMs: null, error: message },
        },
      },
    };
    // The age stays that of the numbers.
    if (this.readAtMs === Number.NEGATIVE_INFINITY) this.readAtMs = performance.now();
  }

  private sayUnread(): void {
    if (this.unreadNames === 0 || performance.now() - this.saidUnreadAtMs < SAY_UNREAD_EVERY_MS) return;
    this.saidUnreadAtMs = performance.now();
    log().warn(
      { count: this.unreadNames },
      'names in the registry of queues are not read, because there are too many. Find out which Redis user adds them',
    );
  }

  private async readRedisInfo(): Promise<void> {
    if (performance.now() - this.redisInfoAtMs <= REDIS_INFO_EVERY_MS) return;
    const broker = getBroker();
    this.redisInfoAtMs = performance.now();
    this.redisInfo = {
      version: (await broker.ready()).version,
      usedMemoryBytes: await broker.inspect.memory(),
    };
    [this.redisTrouble, this.overdue] = await Promise.all([
      broker.inspect.redisTrouble(),
      broker.schedules.overdue(OVERDUE_MS),
    ]);
  }

  private compose(
    rows: readonly QueueSnapshot[],
    now: number,
    roundTripMs: number,
    others: Omit<FullFrame, 'overview'>,
    dataLoss: DatasetLoss | null,
  ): Sample {
    const { workers, operations } = others;
    const { unread, unreadable } = this.queues;
    const { redisTrouble, overdue, unreadNames } = this;
    // Not awaited: what it finds stands in the next frame.
    void this.newFailures.look(rows.reduce((sum, { totals }) => sum + totals.dead, 0));
    const { failures } = this.newFailures;
    const { types: failingTypes } = this.failingTypes;
    const alerts = this.standingAlerts();
    const { verdict, levels } = evaluate({
      now,
      redisError: null,
      dataLoss,
      unreadable,
      unreadNames,
      queues: rows,
      workers: workers.workers,
      operations,
      redisTrouble,
      overdue,
      failures,
      failingTypes,
    });
    for (const { onVerdict } of getPlugIns()) void onVerdict?.(verdict, now);
    const queues = rows.map((row) => this.queues.setLevel(row, levels.get(row.queue) ?? 'ok'));
    const overview = {
      at: now,
      ageMs: 0,
      fresh: true,
      redis: { ...this.redisInfo, roundTripMs, error: null },
      verdict,
      alerts: countUrgent(alerts),
      total: queues.length,
      unread: unread.length,
      oldestAt: queues.reduce((oldest, { at }) => Math.min(oldest, at), now),
      sums: sumsOf(queues),
      queues,
    };
    this.version += 1;
    return {
      version: this.version,
      frame: { overview, ...others },
      unread,
      unreadable,
      unreadNames,
      dataLoss,
      redisTrouble,
      overdue,
      failures,
      failingTypes,
      alerts,
    };
  }

  /** As last read, and the one that this console sends by itself. */
  private standingAlerts(): Alert[] {
    const own = getRedisAlert().alert();
    return own ? [own, ...this.alerts] : [...this.alerts];
  }
}

/** Before the first reading. */
const emptySample = (now: number): Sample => ({
  version: 0,
  frame: {
    overview: {
      at: now,
      ageMs: 0,
      fresh: false,
      redis: { version: null, usedMemoryBytes: null, roundTripMs: null, error: null },
      verdict: verdictFrom([]),
      alerts: countUrgent([]),
      total: 0,
      unread: 0,
      oldestAt: now,
      sums: sumsOf([]),
      queues: [],
    },
    workers: { at: now, workers: [] },
    operations: [],
  },
  unreadable: [],
  unreadNames: 0,
  unread: [],
  dataLoss: null,
  redisTrouble: [],
  overdue: [],
  failures: [],
  failingTypes: new Map(),
  alerts: [],
});

/** How many live workers listen to each queue. A quiet one does not. */
function liveWorkers({ workers }: WorkersPage): Map<string, number> {
  const listening = new Map<string, number>();
  for (const { status, queues } of workers)
    if (status === 'running' || status === 'draining')
      for (const queue of Object.keys(queues)) listening.set(queue, (listening.get(queue) ?? 0) + 1);
  return listening;
}

export const getSampler = singleton('sampler', () => new Sampler());
