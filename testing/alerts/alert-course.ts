import { expect } from 'vitest';
import {
  type AlertFinding,
  type AlertReceiver,
  type AlertRules,
  advanceAlerts,
  messagesFor,
} from '@/lib/broker/alerts/advance-alerts';
import { ALERTS_MAX } from '@/lib/contract/alerts/alert-limits';
import type { Silence } from '@/lib/contract/alerts/alert-schemas';
import type { StoredAlert, StoredMessage } from '@/lib/contract/alerts/alert-storage';

export const MESSAGES_OF_A_LOOK = 300;

/** Alerts over time, as Redis would hold them, and what channels were told. Checks what holds at every look, whatever the rules. */
export class Course {
  now = 1_000_000;
  live: ReadonlyMap<string, StoredAlert> = new Map();
  silences: Silence[] = [];
  /** Channel and code of alerts that the channel believes to stand. */
  readonly open = new Set<string>();
  private readonly latest = new Map<string, string>();
  private ids = 0;
  private readonly newId = () => `id${++this.ids}`;

  constructor(
    private readonly rules: AlertRules,
    readonly channels: readonly AlertReceiver[],
  ) {}

  look(findings: readonly AlertFinding[], isComplete = true) {
    const stored = [...this.live.values()].map((alert) => Object.freeze(alert));
    const state = { now: this.now, live: stored, silences: this.silences };
    const look = { at: this.now, findings, isComplete };
    const changes = advanceAlerts(state, look, this.rules, this.channels, this.newId);
    const live = new Map(this.live);
    for (const alert of changes.live) live.set(alert.code, alert);
    for (const code of changes.removed) live.delete(code);
    this.live = live;
    this.send(changes.messages);
    expect(live.size).toBeLessThanOrEqual(ALERTS_MAX);
    expect(changes.messages.length).toBeLessThanOrEqual(MESSAGES_OF_A_LOOK);
    for (const { code, endedAt } of changes.ended) {
      expect(endedAt).toBeLessThanOrEqual(this.now);
      expect([...this.open].filter((cause) => cause.endsWith(` ${code}`))).toEqual([]);
    }
    return changes;
  }

  acknowledge(code: string): void {
    const before = this.live.get(code);
    if (before?.state !== 'firing' || before.acknowledged) return;
    const alert = { ...before, acknowledged: { at: this.now, actor: 'Ada', note: null } };
    const told = Object.keys(alert.told?.channels ?? {}).map((name) => [name, 'acknowledged'] as const);
    this.send(messagesFor(alert, told, this.now, this.newId));
    this.live = new Map(this.live).set(code, alert);
  }

  /** One story a channel: it fires once, then become worse or acknowledged, ends once; each message follows the one before it. */
  private send(messages: readonly StoredMessage[]): void {
    for (const { id, channel: name, event, at, after, alert } of messages) {
      const cause = `${name} ${alert.code}`;
      expect([cause, event, this.open.has(cause)]).toEqual([cause, event, event !== 'fired']);
      expect([at, after]).toEqual([this.now, this.latest.get(`${name} ${alert.id}`) ?? null]);
      this.latest.set(`${name} ${alert.id}`, id);
      if (event === 'fired') this.open.add(cause);
      if (event === 'ended') this.open.delete(cause);
    }
  }
}
