/** Alerts, silences and deliveries: how they are shown, and what a silence covers. */
import type { Alert, Delivery, Silence } from '@/lib/contract/alerts/alert-schemas';
import type { DeliveryStatus, StoredAlert, StoredMessage } from '@/lib/contract/alerts/alert-storage';

/** Without what only transitions need. */
export const shownAlert = ({ worst, badSince, goneAt, told, peak, ...alert }: StoredAlert): Alert => alert;

export const NEW_STATUS = {
  state: 'waiting',
  attempts: 0,
  attemptAt: null,
  nextAt: null,
  error: null,
  token: null,
} as const satisfies DeliveryStatus;

export function shownDelivery(
  { id, event, channel, at, alert }: StoredMessage,
  { token, ...status }: DeliveryStatus,
): Delivery {
  return { id, alertId: alert.id, code: alert.code, event, channel, at, ...status };
}

/** Whether all that an alert is about is silenced, so that it is not sent. @returns the id of a silence, or null */
export function silenceOf(
  { code, queues }: Pick<Alert, 'code' | 'queues'>,
  silences: readonly Silence[],
  now: number,
): string | null {
  const standing = silences.filter((silence) => silence.until > now && (silence.code ?? code) === code);
  const whole = standing.find(({ queue }) => queue === null);
  if (whole) return whole.id;
  if (queues.total === 0 || queues.total > queues.named.length) return null;
  const ofQueue = queues.named.map((name) => standing.find(({ queue }) => queue === name)?.id);
  return ofQueue.includes(undefined) ? null : (ofQueue[0] ?? null);
}
