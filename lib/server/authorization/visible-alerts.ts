/** Who sees all queues sees all alerts; others see those about queues they see whole, all of which an alert names. Pure. */
import { type AccessScope, isFullScope, scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { isAboutQueues } from '@/lib/contract/alerts/finding-codes';

export const isAlertVisible = ({ code, queues }: Alert, within: AccessScope): boolean =>
  isFullScope(within) ||
  (isAboutQueues(code) &&
    queues.total > 0 &&
    queues.total === queues.named.length &&
    queues.named.every((queue) => scopeHasQueue(within, queue)));

/** What it said when it fired may name queues that it is about no longer, and that this reader does not see. */
export function asVisible(alert: Alert, within: AccessScope): Alert {
  if (isFullScope(within) || alert.firedSentence === undefined) return alert;
  const { firedSentence: _, ...rest } = alert;
  return rest;
}
