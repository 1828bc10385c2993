'use client';
import { type Offer, usePermits } from '@/lib/browser/access/use-permissions';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';

/** Whether the user may acknowledge or silence an alert: that takes `operate` for all that it is about. */
export function useAlertOffer(): (alert: Alert) => Offer {
  const may = usePermits();
  return ({ queues: { total, named } }) => {
    const isAllowed =
      may('operate', '*') ||
      (total > 0 && total === named.length && named.every((queue) => may('operate', queue)));
    return {
      shown: may('operate'),
      missing: isAllowed
        ? null
        : `This needs the permission "operate" for ${total > 0 ? 'each queue of the alert' : 'all queues'}, which you do not have.`,
    };
  };
}
