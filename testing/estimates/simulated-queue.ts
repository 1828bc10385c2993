/** A queue job by job, read as `flow` of recent_counts.lua reads it. */
import { type JobFlow, type MinuteActivity, parseJobFlow } from '@/lib/broker/queues/recent-activity';
import type { Chance } from './seeded-chance';

const MINUTE_MS = 60_000;
const COMPLETED_KEEP = 1_000;
const DIES = 0.03;

export interface SimulatedReading {
  readonly ready: number;
  readonly oldestAgeMs: number;
  readonly flow: JobFlow;
}

const countFrom = (times: readonly number[], since: number) => times.filter((at) => at >= since).length;

export class SimulatedQueue {
  readonly waiting: number[] = [];
  /** When each run ends. */
  private running: number[] = [];
  private completed: number[] = [];
  private completedTotal = 0;
  private dead: number[] = [];
  private readonly minutes = new Map<number, { enqueued: number; completed: number; dead: number }>();

  constructor(private readonly chance: Chance) {}

  get busySlots(): number {
    return this.running.length;
  }

  enqueue(now: number, jobs: number): void {
    for (let i = 0; i < jobs; i++) this.waiting.push(now);
    this.minute(now).enqueued += jobs;
  }

  /** Claims the oldest job. Run times differ by half of their mean. */
  start(now: number, meanRunMs: number): void {
    if (this.waiting.shift() !== undefined)
      this.running.push(now + meanRunMs * this.chance.between(0.5, 1.5));
  }

  /** Ends the runs that are over. */
  end(now: number): void {
    const ended = this.running.filter((endsAt) => endsAt <= now);
    if (ended.length === 0) return;
    this.running = this.running.filter((endsAt) => endsAt > now);
    const died = ended.filter(() => this.chance.next() < DIES);
    this.dead.push(...died);
    this.completed.push(...ended.slice(died.length));
    this.completedTotal += ended.length - died.length;
    const counts = this.minute(now);
    counts.dead += died.length;
    counts.completed += ended.length - died.length;
    if (this.completed.length > COMPLETED_KEEP * 2) this.completed = this.completed.slice(-COMPLETED_KEEP);
  }

  /** Its runs become ready again, as after a reclaim. */
  crash(now: number): void {
    this.waiting.push(...this.running.map(() => now));
    this.running = [];
  }

  read(now: number): SimulatedReading {
    const kept = this.completed.slice(-COMPLETED_KEEP);
    const oldest = this.waiting[0];
    const span = oldest === undefined ? MINUTE_MS : Math.min(MINUTE_MS, Math.max(3_000, now - oldest));
    const telling = kept.at(-40);
    const done = telling === undefined ? span : Math.min(span, Math.max(5_000, now - telling));
    const longer = Math.max(done, Math.min(span, 20_000));
    const reply = [
      done,
      countFrom(kept, now - done),
      String(kept[0] ?? ''),
      countFrom(this.dead, now - done),
      span,
      oldest === undefined ? 0 : countFrom(this.waiting, now - Math.floor(span / 2)),
      longer,
      countFrom(kept, now - longer),
      countFrom(this.dead, now - longer),
    ];
    const keptAll = this.completedTotal <= COMPLETED_KEEP;
    const flow = parseJobFlow(reply, this.recent(now), now, { keptAll, isPartlyPaused: false });
    return { ready: this.waiting.length, oldestAgeMs: now - (oldest ?? now), flow };
  }

  private recent(now: number): MinuteActivity[] {
    const minute = Math.floor(now / MINUTE_MS);
    return Array.from({ length: 6 }, (_, back) => {
      const counts = this.minutes.get(minute - back) ?? { enqueued: 0, completed: 0, dead: 0 };
      return { minute: minute - back, ...counts, failed: 0, reclaimed: 0, redriven: 0 };
    });
  }

  private minute(now: number) {
    const minute = Math.floor(now / MINUTE_MS);
    const counts = this.minutes.get(minute) ?? { enqueued: 0, completed: 0, dead: 0 };
    this.minutes.set(minute, counts);
    return counts;
  }
}
