/** The generic webhook: the message as JSON, signed, so that a receiver knows the sender and refuses old messages. */
import { createHmac } from 'node:crypto';
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';
import type { WEBHOOK_HEADERS, WebhookMessage } from '@/lib/contract/alerts/webhook-message';

export const webhookBody = (message: AlertMessage): string =>
  JSON.stringify({ version: 1, ...message } satisfies WebhookMessage);

/** The signature covers the moment of the attempt, too: a recorded message cannot be sent again later. */
export function webhookHeaders(
  body: string,
  id: string,
  secret: string,
  now: number,
): Record<keyof typeof WEBHOOK_HEADERS, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return {
    'Redrive-Message': id,
    'Redrive-Timestamp': timestamp,
    'Redrive-Signature': `v1=${digest}`,
  };
}
