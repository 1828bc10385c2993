/** Which alerts a browser shows notifications for: each once, whatever the number of tabs and reloads. */
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { isUrgent } from '@/lib/contract/alerts/urgent-alerts';
import { readStoredJson, writeStored } from '@/lib/device/browser-storage';

export interface AlertNotice {
  /** Of the notification: a second one with it takes the place of the first. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
}

const KEY = 'redrive.alert-notifications.shown';
const REMEMBERED_MAX = 200;
/** More than so many at once become one notification. */
const SEPARATE_MAX = 3;

/** @param shown ids of alerts that had a notification */
export function noticesOf(shown: readonly string[], live: readonly Alert[]): AlertNotice[] {
  const fresh = live.filter((alert) => isUrgent(alert) && !shown.includes(alert.id));
  const [first] = fresh;
  if (!first) return [];
  if (fresh.length > SEPARATE_MAX)
    return [{ tag: first.id, title: `${fresh.length} new alerts`, body: first.sentence }];
  return fresh.map(({ id, level, code, sentence }) => ({
    tag: id,
    title: level === 'bad' ? `Problem: ${code}` : `Warning: ${code}`,
    body: sentence,
  }));
}

export function readShown(): readonly string[] {
  const ids = readStoredJson('local', KEY);
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

export function rememberShown(alerts: readonly Alert[]): void {
  const ids = alerts.filter(isUrgent).map(({ id }) => id);
  const kept = [...new Set([...readShown(), ...ids])].slice(-REMEMBERED_MAX);
  // Where nothing is kept, the tag of a notification still keeps it single.
  writeStored('local', KEY, JSON.stringify(kept));
}
