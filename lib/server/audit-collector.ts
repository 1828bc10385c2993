/**
 * Carries records into the audit log: soon after each change made here those of its queue, and every ten seconds all there are, so that what
 * another console left behind is not left for long. Any number of consoles do the same; see lib/broker/audit/collect.ts.
 */
import { AUDIT_GROWS_TO, type Broker, Holding } from '@/lib/broker';
import { chargeChanges } from './access/change-share';
import { secretOf } from './access/secret-file';
import { HeadWatch } from './audit-head';
import { getBroker } from './broker';
import { readEnv } from './env';
import { log } from './log';
import { singleton } from './singleton';

const LOOK_EVERY_MS = 10_000;
/** Changes that follow each other are entered together. */
const NUDGE_MS = 200;
/** With more queues than that it is less work to look at all. */
const NUDGED_MAX = 50;
const TRIM_EVERY_MS = 600_000;
/** The same trouble is said once a minute, not with every look. */
const TROUBLE_EVERY_MS = 60_000;

type Collected = Awaited<ReturnType<Broker['audit']['collect']>>;

/** Keys of the chain, the one that hashes first. Several stand in the file one below the other, while they are being changed. */
export function auditKeys(): string[] {
  const text = secretOf('REDRIVE_AUDIT_KEY');
  return text === null ? [] : text.split(/\s+/).filter(Boolean);
}

export class AuditCollector {
  private timer: NodeJS.Timeout | null = null;
  private stopped = true;
  /** One look at a time: the next waits for the one before. */
  private looking: Promise<unknown> = Promise.resolve();
  /** Queues in which something was done here since the last look at them; null: too many to tell. */
  private nudged: Set<string> | null = new Set();
  private isNudged = false;
  private last: { readonly collected: Collected | null; readonly atMs: number } | null = null;
  private looks = 0;
  private trimmedAtMs = Number.NEGATIVE_INFINITY;
  private saidAtMs = Number.NEGATIVE_INFINITY;
  private readonly holding = new Holding();
  private readonly headWatch = new HeadWatch();

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.arm(NUDGE_MS);
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.headWatch.say();
  }

  /** Something was done here, in that queue or in none: it is entered in a moment. */
  nudge(queue?: string): void {
    if (queue !== undefined) this.nudged?.add(queue);
    if ((this.nudged?.size ?? 0) > NUDGED_MAX) this.nudged = null;
    if (this.isNudged) return;
    this.isNudged = true;
    this.arm(NUDGE_MS);
  }

  /** For readers: what was done here is in the log then, and what was done elsewhere as of ten seconds ago. Null: it failed. */
  async recent(): Promise<Collected | null> {
    const { last } = this;
    if (last === null || performance.now() - last.atMs > LOOK_EVERY_MS) return this.look();
    if (!this.isNudged) {
      // What was done is being carried into the log just now.
      await this.looking;
      return this.last?.collected ?? null;
    }
    return this.inTurn(() => this.collectNudged());
  }

  /** Looks at all there is. Null: it failed. */
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

  private arm(ms: number): void {
    if (this.stopped) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.turn(), ms);
    this.timer.unref();
  }

  private async turn(): Promise<void> {
    const sinceMs = performance.now() - (this.last?.atMs ?? Number.NEGATIVE_INFINITY);
    if (sinceMs >= LOOK_EVERY_MS) await this.look();
    else await this.inTurn(() => this.collectNudged());
    const leftMs = LOOK_EVERY_MS - (performance.now() - (this.last?.atMs ?? 0));
    this.arm(this.isNudged ? NUDGE_MS : Math.max(NUDGE_MS, leftMs));
  }

  /** Never throws: what could not be entered waits where it is. */
  private async collect(queues?: readonly string[]): Promise<Collected | null> {
    try {
      const { audit, dataset } = getBroker();
      const keys = auditKeys();
      await this.headWatch.look(audit, dataset.state().loss);
      const { holding } = this;
      const collected = await audit.collect({ keys, queues, thorough: this.looks === 0, holding });
      this.looks += 1;
      await chargeChanges(collected.byOwner);
      const [trouble] = collected.unread;
      if (trouble) this.say(trouble.error, `records of ${trouble.place} could not be read for the audit log`);
      await this.trim(audit, keys);
      return collected;
    } catch (error) {
      this.say(error, 'records wait to be entered in the audit log');
      return null;
    }
  }

  /** By age now and then, by number whenever there are too many: else whoever fills the log would fill Redis. */
  private async trim(audit: Broker['audit'], keys: readonly string[]): Promise<void> {
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
        'the audit log let go of entries younger than REDRIVE_AUDIT_KEEP_DAYS, because it holds no more: see who fills it, and export it more often',
      );
  }

  private say(error: unknown, what: string): void {
    if (performance.now() - this.saidAtMs < TROUBLE_EVERY_MS) return;
    this.saidAtMs = performance.now();
    log().warn({ err: error }, what);
  }
}

export const getAuditCollector = singleton('audit-collector', () => new AuditCollector());
