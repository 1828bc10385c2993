/**
 * The alert that Redis is away, which Redis cannot hold: each console keeps and sends its own, from memory. All consoles give it the same
 * id, so that receivers who know ids see one.
 */
import { idFrom } from '@/lib/broker';
import { type AlertRules, type DeliveryStatus, NEW_STATUS, type StoredMessage } from '@/lib/broker/alerts';
import type { AlertEvent } from '@/lib/contract/alerts/alert-limits';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { HOUR_MS } from '@/lib/contract/time-units';
import { type AlertChannel, channelTakes } from '../alert-config';
import type { SendFailure } from '../send-messages';

const CODE = 'REDIS';
/** Looks between two attempts, in turn; then the message has failed. */
const ATTEMPTS_MAX = 5;

export interface RedisAlertDeps {
  readonly redisUrl: string;
  channels(): readonly AlertChannel[];
  attempt(channel: AlertChannel, message: StoredMessage): Promise<SendFailure | null>;
  /** Puts it on record once Redis is back. */
  record(alert: Alert, messages: readonly OwnMessage[]): Promise<void>;
  readonly logger: {
    error(fields: object, message: string): void;
    info(fields: object, message: string): void;
  };
}
export interface OwnMessage {
  readonly message: StoredMessage;
  readonly status: DeliveryStatus;
}
export interface OwnClock {
  /** Never goes back. */
  readonly monotonicMs: number;
  /** Ms since 1970. */
  readonly now: number;
}

export class RedisAlert {
  /** Since when every look has failed, or has succeeded. */
  private awaySinceMs: number | null = null;
  private backSinceMs: number | null = null;
  private firing: Alert | null = null;
  private seenAt = 0;
  /** By channel and event. */
  private messages: OwnMessage[] = [];
  /** Over, and not on record yet. */
  private ended: Alert | null = null;

  constructor(private readonly deps: RedisAlertDeps) {}

  alert(): Alert | null {
    return this.firing;
  }

  /** @param failure why Redis could not be read; null: it could */
  async look(failure: string | null, rules: AlertRules, clock: OwnClock): Promise<void> {
    if (failure === null) this.back(rules, clock);
    else this.away(failure, rules, clock);
    await this.send(clock.now);
    if (failure === null) await this.record();
  }

  private away(failure: string, rules: AlertRules, { monotonicMs, now }: OwnClock): void {
    this.backSinceMs = null;
    if (this.awaySinceMs === null) {
      this.awaySinceMs = monotonicMs;
      this.seenAt = now;
    }
    const forMs = rules.forMs(CODE, 'bad');
    if (this.firing || forMs === null || monotonicMs - this.awaySinceMs < forMs) return;
    this.firing = redisAlert(this.deps.redisUrl, failure, this.seenAt, now);
    this.messages = [];
    this.deps.logger.error({ reason: failure }, 'Redis is away: the alert REDIS fires');
    this.add('fired', this.firing, now);
  }

  private back(rules: AlertRules, { monotonicMs, now }: OwnClock): void {
    this.awaySinceMs = null;
    this.backSinceMs ??= monotonicMs;
    if (!this.firing || monotonicMs - this.backSinceMs < rules.resolveAfterMs) return;
    const endedAt = Math.round(now - (monotonicMs - this.backSinceMs));
    this.ended = { ...this.firing, state: 'ended', endedAt };
    this.firing = null;
    this.deps.logger.info({}, 'Redis is back: the alert REDIS ended');
    this.add('ended', this.ended, now);
  }

  private add(event: AlertEvent, alert: Alert, now: number): void {
    const told = new Map(this.messages.map(({ message }) => [message.channel, message.id]));
    for (const channel of this.deps.channels()) {
      const after = told.get(channel.name) ?? null;
      if (event === 'fired' ? !channelTakes(channel, alert) : after === null) continue;
      const id = idFrom('redis-alert', alert.id, event, channel.name);
      const message = { id, event, channel: channel.name, at: now, after, alert };
      this.messages.push({ message, status: { ...NEW_STATUS, nextAt: now } });
    }
  }

  /** All that wait, at the same time: a slow receiver must not delay another one. */
  private async send(now: number): Promise<void> {
    const waiting = new Set(
      this.messages.flatMap(({ message, status }) => (status.state === 'waiting' ? [message.id] : [])),
    );
    const channels = new Map(this.deps.channels().map((channel) => [channel.name, channel]));
    this.messages = await Promise.all(
      this.messages.map(async (own): Promise<OwnMessage> => {
        const { message, status } = own;
        const channel = channels.get(message.channel);
        if (status.state !== 'waiting' || (status.nextAt ?? 0) > now || !channel) return own;
        if (message.after !== null && waiting.has(message.after)) return own;
        const failure = await this.deps.attempt(channel, message);
        const attempts = status.attempts + 1;
        const again = failure !== null && !failure.isFinal && attempts < ATTEMPTS_MAX;
        return {
          message,
          status: {
            state: failure === null ? 'sent' : again ? 'waiting' : 'failed',
            attempts,
            attemptAt: now,
            nextAt: again ? now + 5_000 * 4 ** status.attempts : null,
            error: failure?.error ?? null,
            token: null,
          },
        };
      }),
    );
  }

  /** Messages that still wait are sent by all consoles from now on. */
  private async record(): Promise<void> {
    if (!this.ended) return;
    await this.deps.record(this.ended, this.messages);
    this.ended = null;
    this.messages = [];
  }
}

/** The same from all consoles that lose one Redis in the same hour. */
function redisAlert(redisUrl: string, failure: string, seenAt: number, now: number): Alert {
  const address = redisUrl.replace(/\/\/[^@/]*@/, '//');
  return {
    id: idFrom('redis-alert', address, String(Math.floor(seenAt / HOUR_MS))),
    code: CODE,
    state: 'firing',
    level: 'bad',
    sentence: failure,
    queues: { total: 0, named: [] },
    evidence: null,
    seenAt,
    firedAt: now,
    endedAt: null,
    acknowledged: null,
    silencedBy: null,
  };
}
