/**
 * The alert that Redis is away, which Redis cannot hold: each console keeps and sends its own, from memory. All consoles give it the same
 * id, so that receivers who know ids see one.
 */
import { idFrom } from '@/lib/broker';
import { type AlertRules, type DeliveryStatus, NEW_STATUS, type StoredMessage } from '@/lib/broker/alerts';
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
  /** Hands it over to Redis, from where all consoles end it. @param goneAt since when Redis has answered, ms since 1970 */
  record(alert: Alert, messages: readonly OwnMessage[], goneAt: number): Promise<void>;
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
  private messages: OwnMessage[] = [];
  /** Redis holds it. */
  private isRecorded = false;
  /** Of the alerts before: receivers must not take the second of an hour for the first. */
  private latest = { hour: 0, alerts: 0 };

  constructor(private readonly deps: RedisAlertDeps) {}

  /** Null also once Redis holds it. */
  alert(): Alert | null {
    return this.isRecorded ? null : this.firing;
  }

  /** @param failure why Redis could not be read; null: it could */
  async look(failure: string | null, rules: AlertRules, clock: OwnClock): Promise<void> {
    if (failure === null) this.back(rules, clock);
    else this.away(failure, rules, clock);
    await this.send(clock.now);
    if (failure === null) await this.record(clock);
  }

  private away(failure: string, rules: AlertRules, { monotonicMs, now }: OwnClock): void {
    this.backSinceMs = null;
    this.isRecorded = false;
    if (this.awaySinceMs === null) {
      this.awaySinceMs = monotonicMs;
      this.seenAt = now;
    }
    const forMs = rules.forMs(CODE, 'bad');
    if (this.firing || forMs === null || monotonicMs - this.awaySinceMs < forMs) return;
    this.firing = redisAlert(this.newId(), failure, this.seenAt, now);
    this.messages = [];
    this.deps.logger.error({ reason: failure }, 'Redis is away: the alert REDIS fires');
    this.add(this.firing, now);
  }

  /** Until it is over it is kept here, too: Redis that goes again is the same trouble. */
  private back(rules: AlertRules, { monotonicMs }: OwnClock): void {
    this.awaySinceMs = null;
    this.backSinceMs ??= monotonicMs;
    if (!this.isRecorded || monotonicMs - this.backSinceMs < rules.resolveAfterMs) return;
    this.firing = null;
    this.isRecorded = false;
    this.deps.logger.info({}, 'Redis is back: the alert REDIS ended');
  }

  /** The same in all consoles that lose one Redis as often in the same hour. */
  private newId(): string {
    const address = this.deps.redisUrl.replace(/\/\/[^@/]*@/, '//');
    const hour = Math.floor(this.seenAt / HOUR_MS);
    const before = this.latest.hour === hour ? this.latest.alerts : 0;
    this.latest = { hour, alerts: before + 1 };
    return idFrom('redis-alert', address, String(hour), ...(before > 0 ? [String(before + 1)] : []));
  }

  private add(alert: Alert, now: number): void {
    for (const channel of this.deps.channels()) {
      if (!channelTakes(channel, alert)) continue;
      const id = idFrom('redis-alert', alert.id, 'fired', channel.name);
      const message = { id, event: 'fired', channel: channel.name, at: now, after: null, alert } as const;
      this.messages.push({ message, status: { ...NEW_STATUS, nextAt: now } });
    }
  }

  /** All that wait, at the same time: a slow receiver must not delay another one. */
  private async send(now: number): Promise<void> {
    const channels = new Map(this.deps.channels().map((channel) => [channel.name, channel]));
    this.messages = await Promise.all(
      this.messages.map(async (own): Promise<OwnMessage> => {
        const { message, status } = own;
        const channel = channels.get(message.channel);
        if (status.state !== 'waiting' || (status.nextAt ?? 0) > now || !channel) return own;
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

  /** At once: a console that starts anew forgets it. Messages that still wait are sent by all consoles from now on. */
  private async record({ monotonicMs, now }: OwnClock): Promise<void> {
    if (!this.firing || this.isRecorded) return;
    const goneAt = Math.round(now - (monotonicMs - (this.backSinceMs ?? monotonicMs)));
    await this.deps.record(this.firing, this.messages, goneAt);
    this.isRecorded = true;
    this.messages = [];
  }
}

const redisAlert = (id: string, failure: string, seenAt: number, now: number): Alert => ({
  id,
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
});
