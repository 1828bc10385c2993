/**
 * The purse of one request. It pays for audit events out of the share of its user before they are recorded, and when the request is over
 * gives back what was not used. See lib/broker/redis/scripts/audit-purse.ts.
 */
import { LRUCache } from 'lru-cache';
import { type AuditedCall, type AuditPurse, FoldTimes } from '@/lib/broker';
import { type Principal, quotaOwnerId } from '../authentication/principal';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { singleton } from '../singleton';
import { type ChangeLimit, tooManyChanges } from './change-quota';

const STREAMS_MAX = 10_000;

/** Of this console: who paid when for the events of enqueued jobs, and when something else last happened in a stream, which ends a fold. */
const getFolds = singleton('paid-folds', () => ({
  times: new FoldTimes(),
  endedAtMs: new LRUCache<string, number>({ max: STREAMS_MAX }),
}));

/** Events of no queue have none that pays for them. */
const queueOf = (source: string): string => (source.startsWith('.') ? '' : source.replace(/#\d+$/, ''));

class EventCount {
  private readonly byQueue = new Map<string, number>();
  constructor(sources: readonly string[] = []) {
    for (const source of sources) this.add(source);
  }
  add(source: string, events = 1): void {
    const queue = queueOf(source);
    this.byQueue.set(queue, (this.byQueue.get(queue) ?? 0) + events);
  }
  get events(): ReadonlyMap<string, number> {
    return this.byQueue;
  }
  get isEmpty(): boolean {
    return [...this.byQueue.values()].every((n) => n === 0);
  }
}

export class ChangePurse implements AuditPurse {
  /** By source: paid for, and not recorded yet. */
  private readonly tickets = new Map<string, number>();
  private readonly unusedEvents = new EventCount();
  private readonly laterSources: string[] = [];
  /** Sources for which this request pays the entry of enqueued jobs. */
  private readonly foldsPaid = new Set<string>();
  private readonly holder: string | null;
  private readonly who: string;
  private endsAt = 0;
  private hasPaid = false;
  isClosed = false;

  constructor(
    principal: Principal,
    private readonly limit: ChangeLimit,
  ) {
    this.holder = quotaOwnerId(principal);
    this.who = JSON.stringify([principal.id, principal.via, principal.address]);
  }

  async ahead(calls: readonly AuditedCall[]): Promise<void> {
    const due = calls.filter((call) => !this.isFolded(call));
    await this.pay(due.map(({ source }) => source));
    for (const { source, folds } of due)
      if (!folds) this.tickets.set(source, (this.tickets.get(source) ?? 0) + 1);
    for (const call of due) this.remember(call);
  }

  async before(call: AuditedCall): Promise<void> {
    const ticket = this.tickets.get(call.source) ?? 0;
    if (!call.folds && ticket > 0) {
      this.tickets.set(call.source, ticket - 1);
      return;
    }
    if (this.isFolded(call)) return;
    // The first must fit. A request that has changed something goes on, or its change would be half done.
    await this.pay([call.source], this.hasPaid);
    this.remember(call);
  }

  unused({ source, folds }: AuditedCall): void {
    if (folds) {
      // The entry that it is part of was paid for by another request.
      if (!this.foldsPaid.delete(source)) return;
      getFolds().times.forget(this.kindOf(source));
    }
    this.unusedEvents.add(source);
  }

  async later(sources: readonly string[]): Promise<void> {
    await this.pay(sources);
    this.laterSources.push(...sources);
  }

  /** @param failed nothing of what was paid for later comes about */
  async close(failed: boolean): Promise<void> {
    this.isClosed = true;
    for (const [source, left] of this.tickets) this.unusedEvents.add(source, left);
    if (failed) for (const source of this.laterSources) this.unusedEvents.add(source);
    if (this.unusedEvents.isEmpty) return;
    await getBroker()
      .access.changes.giveBack(this.limit.owner, this.unusedEvents.events, this.endsAt)
      .catch((error: unknown) => log().warn({ err: error }, 'unused audit events were not given back'));
  }

  private async pay(sources: readonly string[], mayExceed = false): Promise<void> {
    if (sources.length === 0) return;
    const { owner, limit, windowMs } = this.limit;
    const { events } = new EventCount(sources);
    const paid = await getBroker().access.changes.pay(owner, events, { limit, windowMs, mayExceed });
    if (!paid.allowed) throw tooManyChanges(this.limit, sources.length, paid.retryAfterMs);
    this.endsAt = paid.endsAt;
    this.hasPaid = true;
  }

  private kindOf(source: string): string {
    return `${source} ${this.who}`;
  }

  /** It becomes part of an entry that is paid for. */
  private isFolded({ source, folds }: AuditedCall): boolean {
    if (!folds) return false;
    const { times, endedAtMs } = getFolds();
    return !times.isDue(this.kindOf(source), this.holder, endedAtMs.get(source));
  }

  private remember({ source, folds }: AuditedCall): void {
    const { times, endedAtMs } = getFolds();
    if (folds) {
      times.remember(this.kindOf(source), this.holder);
      this.foldsPaid.add(source);
    } else endedAtMs.set(source, times.nowMs());
  }
}
