/** Sends stored messages to their channels, and records the results. */
import type { Actor } from '@/lib/broker';
import { timeOrderedId } from '@/lib/broker';
import { type StoredMessage, shownDelivery, type TakenMessage } from '@/lib/broker/alerts';
import type { Alert, Delivery } from '@/lib/contract/alerts/alert-schemas';
import { noSuchChannel } from '@/lib/contract/not-found-errors';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { type AlertChannel, alertConfig, type ConfiguredChannel } from './alert-config';
import { alertMessage } from './alert-message';
import { AlertSendError } from './alert-send-error';
import { alertChannels, getMadeChannels } from './made-channels';
import { sendAlert, sendHeartbeat } from './send-alert';

export interface SendFailure {
  /** For the record: no address, no secret. */
  readonly error: string;
  readonly isFinal: boolean;
  readonly retryAfterMs: number | null;
}

const isHeartbeat = (channel: ConfiguredChannel) => channel.kind === 'heartbeat';
export const messageChannels = (): AlertChannel[] =>
  alertChannels().filter((channel): channel is AlertChannel => !isHeartbeat(channel));

/** One attempt; never throws. @returns null: the receiver took it */
export async function attemptMessage(
  channel: ConfiguredChannel,
  message: Omit<StoredMessage, 'after' | 'channel'>,
): Promise<SendFailure | null> {
  const options = { allowedHosts: alertConfig().allowedHosts, now: Date.now() };
  try {
    if (channel.kind === 'heartbeat') await sendHeartbeat(channel, options);
    else await sendAlert(channel, alertMessage(message), options);
    return null;
  } catch (error) {
    if (error instanceof AlertSendError)
      return { error: error.message, isFinal: error.isFinal, retryAfterMs: error.retryAfterMs };
    log().error({ err: error, channel: channel.name }, 'a message could not be made');
    return { error: 'The message could not be made. The log says why.', isFinal: true, retryAfterMs: null };
  }
}

/** @returns what is on record now; null: its lease was over, and another console took it */
export async function sendTaken(
  channel: ConfiguredChannel,
  taken: TakenMessage,
  isLast = false,
): Promise<SendFailure | null> {
  const failure = await attemptMessage(channel, taken.message);
  const { id, event, alert } = taken.message;
  if (failure)
    log().warn(
      { channel: channel.name, message: id, event, code: alert.code, reason: failure.error },
      'a message about an alert could not be sent',
    );
  const recorded = failure && isLast ? { ...failure, isFinal: true } : failure;
  if (!(await getBroker().alerts.settle(taken, recorded)))
    log().warn(
      { channel: channel.name, message: id },
      'a message took longer than its lease, and may be sent twice',
    );
  return recorded;
}

/** A message that says so, sent once. @throws RedriveError CHANNEL_NOT_FOUND */
export async function testChannel(name: string, by: Actor): Promise<Delivery> {
  await getMadeChannels().refresh();
  const channel = alertChannels().find((one) => one.name === name);
  if (!channel) throw noSuchChannel(name);
  const id = timeOrderedId();
  const taken = await getBroker().alerts.begin(
    (now) => ({
      id,
      event: 'test',
      channel: name,
      at: now,
      after: null,
      alert: testAlert(id, name, by, now),
    }),
    by,
  );
  const failure = await sendTaken(channel, taken, true);
  return shownDelivery(taken.message, {
    ...taken.status,
    state: failure ? 'failed' : 'sent',
    attempts: 1,
    nextAt: null,
    error: failure?.error ?? null,
  });
}

const testAlert = (id: string, channel: string, { actor }: Actor, now: number): Alert => ({
  id,
  code: 'TEST',
  state: 'firing',
  level: 'warn',
  sentence: `This is a test of the channel ${channel} by ${actor}. No alert is behind it.`,
  queues: { total: 0, named: [] },
  evidence: null,
  seenAt: now,
  firedAt: now,
  endedAt: null,
  acknowledged: null,
  silencedBy: null,
});
