/**
 * Collects pending audit events into the log: of a queue soon after this console changed it, of all queues every ten seconds. All consoles
 * do the same; see lib/broker/audit/collect-events.ts.
 */
import { AUDIT_GROWS_TO, type Broker, FoldBuffer } from '@/lib/broker';
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { readEnv } from '../environment';
import { auditKeys } from '../secret-file';
import { singleton } from '../singleton';
import { AuditHeadWatch } from './audit-head-watch';

const LOOK_EVERY_MS = 10_000;
/** Changes in quick succession are collected together. */
const NUDGE_MS = 200;
/** With more queues, collecting all is less work. */
const NUDGED_MAX = 50;
const TRIM_EVERY_MS = 600_000;
/** Collections of some hundred entries, with a trim after each, before others have their turn. */
const COLLECTIONS_MAX = 40;
/** A lasting error is logged once a minute. */
const WARN_EVERY_MS = 60_000;

type Collected = Awaited<ReturnType<Broker['audit']['collect']>>;

export class AuditCollector {
  private loop: BackgroundLoop | null = null;
  /** One collection at a time. */
  private looking: Promise<unknown> = Promise.resolve();
  /** Queues that this console changed since the last collection; null: too many. */
  private nudged: Set<string> | null = new Set();
  private isNudged = false;
  private last: { readonly collected: Collected | null; readonly atMs: number } | null = null;
  private looks = 0;
  private stoppedAfter: string | null = null;
  private trimmedAtMs = Number.NEGATIVE_INFINITY;
  private saidAtMs = Number.NEGATIVE_INFINITY;
  private readonly holding = new FoldBuffer();
  private readonly headWatch = new AuditHeadWatch();

  start(): void {
    this.loop ??= startBackgroundLoop({
      name: 'collecting audit events',
      everyMs: LOOK_EVERY_MS,
      firstInMs: NUDGE_MS,
      keepsProcess: false,
      logger: log(),
      run: () => this.turn(),
    });
  }

  stop(): void {
    void this.loop?.stop();
    this.loop = null;
    this.headWatch.say();
  }

  /** This console made a change, in a queue or in none: its events are collected in a moment. */
  nudge(queue?: string): void {
    if (queue !== undefined) this.nudged?.add(queue);
    if ((this.nudged?.size ?? 0) > NUDGED_MAX) this.nudged = null;
    if (this.isNudged) return;
    this.isNudged = true;
    this.loop?.hasten(NUDGE_MS);
  }

  /** For readers: afterwards the log has all changes of this console, and older than ten seconds all changes of others. Null: failed. */
  async recent(): Promise<Collected | null> {
    const { last } = this;
    if (last === null || performance.now() - last.atMs > LOOK_EVERY_MS) return this.look();
    if (!this.isNudged) {
      // The change is being collected right now.
      await this.looking;
      return this.last?.collected ?? null;
    }
    return this.inTurn(() => this.collectNudged());
  }

  /** Collects from all queues. Null: failed. */
  look(): Promise<Collected | null> {
    return this.inTurn(async () => {
      this.forgetNudges();
      const collected = await this.collect();
      this.last = { collected, atMs: performance.now() };
      return collected;
    });
  }

  private collectNudged(): Promise<Collected | null> {
    const queues = this.nudged;
    this.forgetNudges();
    return this.collect(queues === null ? undefined : [...queues]);
  }

  private forgetNudges(): void {
    this.nudged = new Set();
    this.isNudged = false;
  }

  private inTurn<T>(look: () => Promise<T>): Promise<T> {
    const mine = this.looking.then(look);
    this.looking = mine.catch(() => undefined);
    return mine;
  }

  /** @returns ms to the next turn */
  private async turn(): Promise<number> {
    const sinceMs = performance.now() - (this.last?.atMs ?? Number.NEGATIVE_INFINITY);
    if (sinceMs >= LOOK_EVERY_MS) await this.look();
    else await this.inTurn(() => this.collectNudged());
    const leftMs = LOOK_EVERY_MS - (performance.now() - (this.last?.atMs ?? 0));
    // More events wait.
    if (this.stoppedAfter !== null) this.last = null;
    return this.isNudged || this.last === null ? NUDGE_MS : Math.max(NUDGE_MS, leftMs);
  }

  /** Never throws: events that could not be collected stay pending. */
  private async collect(queues?: readonly string[]): Promise<Collected | null> {
    try {
      const { audit, dataset } = getBroker();
      const keys = auditKeys();
      await this.headWatch.look(audit, dataset);
      for (let entered = 0, turns = 1; ; turns++) {
        const collected = await this.collectSome(keys, queues);
        await this.trim(audit, keys);
        entered += collected.entered;
        if (collected.stoppedAfter === null || turns === COLLECTIONS_MAX) return { ...collected, entered };
      }
    } catch (error) {
      this.say(error, 'audit events could not be collected; they stay pending');
      return null;
    }
  }

  private async collectSome(keys: string[], queues?: readonly string[]): Promise<Collected> {
    const { holding, stoppedAfter: after } = this;
    const collected = await getBroker().audit.collect({
      keys,
      queues,
      thorough: this.looks === 0,
      holding,
      after,
    });
    this.looks += 1;
    this.stoppedAfter = collected.stoppedAfter;
    const [failure] = collected.unread;
    if (failure)
      this.say(failure.error, `records of ${failure.source} could not be collected into the audit log`);
    for (const [source, count] of collected.tooLarge)
      log().warn(
        { source, count },
        'audit events larger than Redrive writes were left out of the audit log. Find out which Redis user writes them',
      );
    return collected;
  }

  /** By age from time to time, by number whenever there are too many: a flooded log must not fill Redis. */
  private async trim(audit: Pick<Broker['audit'], 'head' | 'trim'>, keys: readonly string[]): Promise<void> {
    const head = await audit.head();
    this.headWatch.remember(head);
    const isDue = performance.now() - this.trimmedAtMs > TRIM_EVERY_MS;
    if (!isDue && head.n - head.base.n < AUDIT_GROWS_TO) return;
    const { gone, early } = await audit.trim({
      keys,
      keepDays: readEnv(process.env).REDRIVE_AUDIT_KEEP_DAYS,
    });
    this.trimmedAtMs = performance.now();
    if (early > 0)
      log().warn(
        { gone, early },
        'the audit log is full: entries younger than REDRIVE_AUDIT_KEEP_DAYS were deleted. Find out which user fills it, and export it more often',
      );
  }

  private say(error: unknown, what: string): void {
    if (performance.now() - this.saidAtMs < WARN_EVERY_MS) return;
    this.saidAtMs = performance.now();
    log().warn({ err: error }, what);
  }
}

export const getAuditCollector = singleton('audit-collector', () => new AuditCollector());
