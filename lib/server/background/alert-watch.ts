/**
 * Looks at the findings every few seconds, as every console does: what lasts becomes an alert, in Redis, once. Sends its messages, calls
 * heartbeats, and tells by itself when Redis is away.
 */
import { RedriveError } from '@/lib/contract/redrive-error';
import { type BackgroundLoop, startBackgroundLoop } from '@/lib/process/background-loop';
import { alertConfig } from '../alerts/alert-config';
import { alertReceivers, alertRules } from '../alerts/alert-rules';
import { createHeartbeats, type Heartbeats } from '../alerts/heartbeat-caller';
import { alertChannels, getMadeChannels } from '../alerts/made-channels';
import { AlertMemory } from '../alerts/memory/alert-memory';
import { getRedisAlert } from '../alerts/memory/own-redis-alert';
import { sendHeartbeat } from '../alerts/send-alert';
import { messageChannels, sendTaken } from '../alerts/send-messages';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { getSampler } from '../live/sampler';
import { shownMessage } from '../shown-error';
import { singleton } from '../singleton';
import { allFindings } from './all-findings';

const LOOK_EVERY_MS = 5_000;
/** A console that sees that another one looked so lately need not look itself. */
const LOOKED_LATELY_MS = 4_000;
const SAMPLE_AGE_MS = 2_000;
const SEND_EVERY_MS = 5_000;
const SENT_AT_ONCE = 8;
const BEAT_EVERY_MS = 2_500;
const ENCRYPT_EVERY_MS = 15_000;
/** Without a look for so long, it is not known whether all is well. */
const WELL_FOR_MS = 20_000;
/** While one of these fires, heartbeats stop: what they watch over is Redis and the console. Without Redis no look succeeds. */
const UNWELL: ReadonlySet<string> = new Set(['DATA_LOST', 'MEMORY', 'PERSISTENCE']);

class AlertWatch {
  private loops: BackgroundLoop[] = [];
  private sender: BackgroundLoop | null = null;
  private stopped = false;
  private readonly sending = new Set<string>();
  /** By the monotonic clock. */
  private wellAtMs = Number.NEGATIVE_INFINITY;
  private readonly memory = new AlertMemory(getBroker, (channels) => getMadeChannels().know(channels));

  start(): void {
    if (this.sender || this.stopped) return;
    const loop = (name: string, everyMs: number, run: () => Promise<unknown>) =>
      startBackgroundLoop({ name, everyMs, firstInMs: everyMs / 5, keepsProcess: false, logger: log(), run });
    this.sender = loop('sending alerts', SEND_EVERY_MS, () => this.send());
    const beats = this.heartbeats();
    this.loops = [
      this.sender,
      loop('looking for alerts', LOOK_EVERY_MS, () => this.look()),
      loop('calling heartbeats', BEAT_EVERY_MS, () => this.beat(beats)),
      // A console without the key may have stored a channel since: all consoles of a Redis get a key one after the other.
      loop('encrypting channels', ENCRYPT_EVERY_MS, () => getMadeChannels().encrypt()),
    ];
  }

  stop(): void {
    this.stopped = true;
    for (const loop of this.loops) void loop.stop();
  }

  /** Messages wait. */
  sendNow(): void {
    this.sender?.hasten(0);
  }

  /** A user removed a channel or a silence by this console. */
  rememberRemoval(id: string): void {
    this.memory.rememberRemoval(id);
  }

  private async look(): Promise<void> {
    const failure = await this.lookOnce();
    const clock = { monotonicMs: performance.now(), now: Date.now() };
    await getRedisAlert().look(failure, alertRules(), clock);
  }

  /** @returns why Redis could not be read; null: it could */
  private async lookOnce(): Promise<string | null> {
    const { alerts } = getBroker();
    try {
      const state = await this.memory.read();
      const isWell = !state.live.some(
        ({ code, level, state: is }) => is === 'firing' && level === 'bad' && UNWELL.has(code),
      );
      if (state.now - state.lookedAt >= LOOKED_LATELY_MS) {
        const sample = await getSampler().recent(SAMPLE_AGE_MS);
        const { fresh, at, redis } = sample.frame.overview;
        if (!fresh) return redis.error ?? 'Redis cannot be read.';
        const look = { at, findings: allFindings(sample), isComplete: sample.unread.length === 0 };
        const { messages } = await alerts.look(look, alertRules(), alertReceivers());
        if (messages > 0) {
          // Receivers are about to know of it, so this console must, whatever happens to Redis now.
          await this.memory.read();
          this.sendNow();
        }
      }
      if (isWell) this.wellAtMs = performance.now();
      return null;
    } catch (error) {
      return reasonOf(error);
    }
  }

  private async send(): Promise<number> {
    // A channel that another console got a moment ago has messages already.
    await getMadeChannels().refresh();
    const channels = new Map(messageChannels().map((channel) => [channel.name, channel]));
    const room = SENT_AT_ONCE - this.sending.size;
    if (room <= 0) return SEND_EVERY_MS / 5;
    const { taken, nextInMs } = await getBroker().alerts.take(new Set(channels.keys()), room);
    for (const one of taken) {
      const channel = channels.get(one.message.channel);
      if (!channel) continue;
      this.sending.add(one.message.id);
      void sendTaken(channel, one)
        .catch((error: unknown) =>
          log().warn({ err: error }, 'the result of a message could not be recorded'),
        )
        .finally(() => {
          this.sending.delete(one.message.id);
          // The next of its alert may wait for it.
          if (!this.stopped) this.sendNow();
        });
    }
    return Math.min(SEND_EVERY_MS, Math.max(50, nextInMs ?? SEND_EVERY_MS));
  }

  private heartbeats(): Heartbeats {
    const beating = () => alertChannels().filter((channel) => channel.kind === 'heartbeat');
    return createHeartbeats(beating, async (channel) => {
      // Of all consoles one calls. A little early, so that it is the same one again.
      const isOurs = await getBroker().alerts.heartbeat(channel.name, channel.everySeconds * 750);
      if (isOurs) await sendHeartbeat(channel, { allowedHosts: alertConfig().allowedHosts, now: Date.now() });
    });
  }

  private async beat(beats: Heartbeats): Promise<void> {
    if (performance.now() - this.wellAtMs > WELL_FOR_MS) return;
    for (const { channel, error } of await beats.callDue(Date.now()))
      if (error !== null) log().warn({ channel, reason: error }, 'a heartbeat could not be sent');
  }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof RedriveError) return shownMessage(error);
  log().warn({ err: error }, 'looking for alerts failed');
  return 'Redis cannot be read. The log says why.';
};

export const getAlertWatch = singleton('alert-watch', () => new AlertWatch());
