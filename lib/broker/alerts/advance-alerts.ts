/** One look at the findings: which alerts begin, fire, become worse and end, and whom that is told. Pure. */
import { ALERT_QUEUES_MAX, ALERTS_MAX, type AlertEvent } from '@/lib/contract/alerts/alert-limits';
import type { Alert, Silence } from '@/lib/contract/alerts/alert-schemas';
import type { StoredAlert, StoredMessage } from '@/lib/contract/alerts/alert-storage';
import { saysMore } from '@/lib/contract/queues/finding-weight';
import { shownAlert, silenceOf } from './alert-records';

/** New queues of a firing alert are told at most this often. */
const WIDER_EVERY_MS = 5 * 60_000;
/** Messages of one look; what is left is told at the next. */
const MESSAGES_MAX = 300;

export type AlertLevel = Alert['level'];
type Said = Pick<Alert, 'level' | 'sentence' | 'queues' | 'evidence'>;
export type AlertFinding = Said & Pick<Alert, 'code'>;

/** Where alerts can be sent. */
export interface AlertReceiver {
  readonly name: string;
  /** Whether it is told about such an alert. */
  takes(alert: Pick<Alert, 'code' | 'level' | 'queues'>): boolean;
}

export interface AlertRules {
  /** How long a finding must stand; null: it never becomes an alert. */
  forMs(code: string, level: AlertLevel): number | null;
  /** How long it must not stand until its alert ends. */
  readonly resolveAfterMs: number;
}

export interface AlertLook {
  /** When the findings were read, by the clock of Redis. */
  readonly at: number;
  readonly findings: readonly AlertFinding[];
  /** False: some queues were not read yet, so a missing finding proves nothing. */
  readonly isComplete: boolean;
}

export interface AlertState {
  /** By the clock of Redis. */
  readonly now: number;
  readonly live: readonly StoredAlert[];
  readonly silences: readonly Silence[];
}

export interface AlertChanges {
  /** Only those that changed. */
  readonly live: StoredAlert[];
  /** Codes of those that are over, or never fired. */
  readonly removed: string[];
  readonly ended: Alert[];
  readonly messages: StoredMessage[];
}

/** @param newId makes the ids of alerts and messages */
export function advanceAlerts(
  { now, live, silences }: AlertState,
  look: AlertLook,
  rules: AlertRules,
  channels: readonly AlertReceiver[],
  newId: () => string,
): AlertChanges {
  const changes: AlertChanges = { live: [], removed: [], ended: [], messages: [] };
  const known = new Map(live.map((alert) => [alert.code, alert]));
  const standing = new Set<string>();
  let room = ALERTS_MAX - live.length;
  for (const finding of look.findings) {
    if (rules.forMs(finding.code, finding.level) === null || standing.has(finding.code)) continue;
    const before = known.get(finding.code);
    if (!before && room-- <= 0) continue;
    standing.add(finding.code);
    const seen = fired(asSeen(before, finding, now, newId), rules, now);
    const alert = { ...seen, silencedBy: silenceOf(seen, silences, now) };
    tell(alert, channels, now, newId, changes.messages);
    if (JSON.stringify(alert) !== JSON.stringify(before)) changes.live.push(alert);
  }
  if (!look.isComplete) return changes;
  for (const alert of live) if (!standing.has(alert.code)) leave(alert, rules, now, newId, changes);
  return changes;
}

function asSeen(
  before: StoredAlert | undefined,
  { code, level, sentence, queues, evidence }: AlertFinding,
  now: number,
  newId: () => string,
): StoredAlert {
  const alert: StoredAlert = before ?? {
    id: newId(),
    code,
    state: 'pending',
    level,
    sentence,
    queues,
    evidence,
    seenAt: now,
    firedAt: null,
    endedAt: null,
    acknowledged: null,
    silencedBy: null,
    worst: level,
    peak: null,
    badSince: null,
    goneAt: null,
    told: null,
  };
  const said = {
    level,
    sentence,
    queues: { total: queues.total, named: queues.named.slice(0, ALERT_QUEUES_MAX) },
    evidence,
  };
  return {
    ...alert,
    ...said,
    worst: level === 'bad' ? 'bad' : alert.worst,
    peak: peakOf(alert, said),
    badSince: level === 'bad' ? (alert.badSince ?? now) : null,
    goneAt: null,
  };
}

/** The worst that was said so far; null: what is said now. */
function peakOf(alert: StoredAlert, said: Said): Said | null {
  const { level, sentence, queues, evidence } = alert;
  const before = alert.peak ?? { level, sentence, queues, evidence };
  return saysMore(before, said) ? before : null;
}

/** Firing, once the finding has stood for as long as its rule says: that of warnings, or since it is bad that of bad ones. */
function fired(alert: StoredAlert, rules: AlertRules, now: number): StoredAlert {
  if (alert.state === 'firing') return alert;
  const lasts = (since: number | null, level: AlertLevel) => {
    const forMs = rules.forMs(alert.code, level);
    return since !== null && forMs !== null && now - since >= forMs;
  };
  return lasts(alert.seenAt, 'warn') || lasts(alert.badSince, 'bad') ? { ...alert, state: 'firing' } : alert;
}

/** Changes `alert` and adds to `messages`. */
function tell(
  alert: StoredAlert,
  channels: readonly AlertReceiver[],
  now: number,
  newId: () => string,
  messages: StoredMessage[],
): void {
  if (alert.state !== 'firing' || alert.silencedBy !== null) return;
  if (alert.firedAt === null) Object.assign(alert, { firedAt: now, firedSentence: alert.sentence });
  const told = alert.told ?? { level: alert.level, queues: alert.queues, at: now, channels: {} };
  const isWorse = (alert.level === 'bad' && told.level === 'warn') || isWider(alert, told, now);
  const events = channels.flatMap((channel): [string, AlertEvent][] => {
    if (!channel.takes(alert)) return [];
    if (!Object.hasOwn(told.channels, channel.name)) return [[channel.name, 'fired']];
    return isWorse ? [[channel.name, 'worse']] : [];
  });
  if (messages.length + events.length > MESSAGES_MAX) return;
  alert.told = isWorse
    ? {
        ...told,
        level: alert.level === 'bad' ? 'bad' : told.level,
        queues: withNew(told.queues, alert),
        at: now,
      }
    : told;
  messages.push(...messagesFor(alert, events, now, newId));
}

const newQueues = ({ queues }: StoredAlert, told: NonNullable<StoredAlert['told']>): string[] =>
  queues.named.filter((queue) => !told.queues.named.includes(queue));

/** It reaches queues that no receiver was told of. A user who takes care of it need not be told again. */
const isWider = (alert: StoredAlert, told: NonNullable<StoredAlert['told']>, now: number): boolean =>
  alert.acknowledged === null &&
  now - told.at >= WIDER_EVERY_MS &&
  told.queues.named.length < ALERT_QUEUES_MAX &&
  newQueues(alert, told).length > 0;

const withNew = (old: Alert['queues'], { queues }: StoredAlert): Alert['queues'] => {
  const named = [...new Set([...old.named, ...queues.named])].slice(0, ALERT_QUEUES_MAX);
  return { total: Math.max(old.total, queues.total, named.length), named };
};

/** One message for each channel. Remembers it in `alert.told`, so that the next one follows it. */
export function messagesFor(
  alert: StoredAlert,
  events: readonly (readonly [channel: string, event: AlertEvent])[],
  now: number,
  newId: () => string,
): StoredMessage[] {
  const { told } = alert;
  if (!told) return [];
  const channels = { ...told.channels };
  alert.told = { ...told, channels };
  return events.map(([channel, event]) => {
    const id = newId();
    const after = (Object.hasOwn(channels, channel) && channels[channel]) || null;
    channels[channel] = id;
    return { id, event, channel, at: now, after, alert: shownAlert(alert) };
  });
}

/** A finding that no longer stands: a pending alert is dropped, a firing one ends after a while. */
function leave(
  alert: StoredAlert,
  rules: AlertRules,
  now: number,
  newId: () => string,
  changes: AlertChanges,
): void {
  if (alert.state === 'pending') {
    changes.removed.push(alert.code);
    return;
  }
  const goneAt = alert.goneAt ?? now;
  if (now - goneAt < rules.resolveAfterMs) {
    if (alert.goneAt === null) changes.live.push({ ...alert, goneAt });
    return;
  }
  const channels = Object.keys(alert.told?.channels ?? {});
  if (changes.messages.length + channels.length > MESSAGES_MAX) return;
  const { ended, messages } = endAlert(alert, goneAt, now, newId);
  changes.messages.push(...messages);
  changes.removed.push(alert.code);
  changes.ended.push(ended);
}

/** The alert as it is over, and its last messages: to all channels that were told. */
export function endAlert(
  alert: StoredAlert,
  endedAt: number,
  now: number,
  newId: () => string,
): { ended: Alert; messages: StoredMessage[] } {
  const ended: StoredAlert = { ...alert, ...alert.peak, state: 'ended', level: alert.worst, endedAt };
  const events = Object.keys(alert.told?.channels ?? {}).map((name) => [name, 'ended'] as const);
  return { messages: messagesFor(ended, events, now, newId), ended: shownAlert(ended) };
}
