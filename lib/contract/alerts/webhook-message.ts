/** What the channel `webhook` sends. */
import { z } from 'zod';
import { ALERT_EVENTS } from './alert-limits';
import { alertSchema } from './alert-schemas';

export const webhookMessageSchema = z.object({
  /** Raised when a member changes its meaning or goes. */
  version: z.literal(1),
  id: z.string().describe('Of this message, the same at every attempt: count it once'),
  event: z.enum(ALERT_EVENTS),
  at: z.number(),
  alert: alertSchema,
  link: z.string().describe('The page that shows the cause'),
  alertsLink: z.string(),
  environment: z.string().nullable().describe('REDRIVE_ENVIRONMENT'),
});
export type WebhookMessage = z.infer<typeof webhookMessageSchema>;

/** Its headers besides the usual ones. */
export const WEBHOOK_HEADERS = {
  'Redrive-Message': 'The id of the message',
  'Redrive-Timestamp': 'Seconds since 1970, of this attempt',
  'Redrive-Signature':
    '`v1=` and, in hexadecimal, the HMAC-SHA-256 of timestamp, a dot and the body, with the secret of the channel as the key',
} as const;
