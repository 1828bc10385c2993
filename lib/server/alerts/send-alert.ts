/** Sends one message to one channel, once. Repeating it, and its record, are the caller's. */
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';
import type { AlertChannel, HeartbeatChannel } from '../settings/alert-config-schema';
import { pagerdutyEvents } from './formats/pagerduty-format';
import { slackBody } from './formats/slack-format';
import { teamsBody } from './formats/teams-format';
import { webhookBody, webhookHeaders } from './formats/webhook-format';
import { type SendOptions, sendRequest } from './outgoing-request';
import { sendMail } from './send-mail';

export type { SendOptions };

/**
 * Resolves when the receiver took the message, in 20 s at most.
 * @throws AlertSendError with a sentence; `isFinal`: another attempt would end the same way
 */
export async function sendAlert(
  channel: AlertChannel,
  message: AlertMessage,
  options: SendOptions,
): Promise<void> {
  switch (channel.kind) {
    case 'webhook': {
      const body = webhookBody(message);
      return post(channel.url, body, options, webhookHeaders(body, message.id, channel.secret, options.now));
    }
    case 'slack':
      return post(channel.url, JSON.stringify(slackBody(message)), options);
    case 'teams':
      return post(channel.url, JSON.stringify(teamsBody(message)), options);
    case 'pagerduty':
      for (const event of pagerdutyEvents(message, channel.routingKey))
        await post(channel.url, JSON.stringify(event), options);
      return;
    case 'email':
      return sendMail(channel, message, options);
  }
}

/** Calls the address of a heartbeat. @throws AlertSendError */
export const sendHeartbeat = ({ url }: HeartbeatChannel, options: SendOptions): Promise<void> =>
  sendRequest({ method: 'GET', url }, options);

const post = (
  url: string,
  body: string,
  options: SendOptions,
  headers: Record<string, string> = {},
): Promise<void> =>
  sendRequest(
    { method: 'POST', url, body, headers: { 'content-type': 'application/json', ...headers } },
    options,
  );
