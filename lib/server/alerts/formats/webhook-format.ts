/** The generic webhook: the message as JSON, signed, so that a receiver knows the sender and refuses old messages. */
import { createHmac } from 'node:crypto';
import type { AlertMessage } from '@/lib/contract/alerts/alert-schemas';

/** Raised when a field changes its meaning or goes; new fields leave it as it is. */
const FORMAT_VERSION = 1;

export const webhookBody = (message: AlertMessage): string =>
  JSON.stringify({ version: FORMAT_VERSION, ...message });

/** The signature covers the moment of the attempt, too: a recorded message cannot be sent again later. */
export function webhookHeaders(
  body: string,
  id: string,
  secret: string,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return {
    'redrive-message': id,
    'redrive-timestamp': timestamp,
    'redrive-signature': `v1=${digest}`,
  };
}
