/** Who sees all queues sees all alerts; others see those about queues they see whole, all of which an alert names. Pure. */
import { type AccessScope, isFullScope, scopeHasQueue } from '@/lib/contract/access/grant-scopes';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { isAboutQueues } from '../live/verdict/finding-codes';

export const isAlertVisible = ({ code, queues }: Alert, within: AccessScope): boolean =>
  isFullScope(within) ||
  (isAboutQueues(code) &&
    queues.total > 0 &&
    queues.total === queues.named.length &&
    queues.named.every((queue) => scopeHasQueue(within, queue)));
