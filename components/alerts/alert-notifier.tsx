'use client';
import { useEffect, useRef } from 'react';
import { useOpenPage } from '@/components/shared/use-open-page';
import { noticesOf, readShown, rememberShown } from '@/lib/browser/alerts/alert-notices';
import { showNotification } from '@/lib/browser/alerts/show-notification';
import { useAlerts } from '@/lib/browser/alerts/use-alerts';
import { links } from '@/lib/browser/links';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { revealHidden } from '@/lib/format/display-text';

const NONE: readonly Alert[] = [];

/** Shows a notification for each new alert, also while the tab is hidden, and takes it away when the alert is over. */
export function AlertNotifier() {
  const openPage = useOpenPage();
  const live = useAlerts('always').data?.live ?? NONE;
  const open = useRef(new Map<string, Notification>());
  useEffect(() => {
    for (const notice of noticesOf(readShown(), live)) {
      const shown = { ...notice, body: revealHidden(notice.body) };
      const notification = showNotification(shown, () => openPage(links.alerts()));
      if (notification) open.current.set(notice.tag, notification);
    }
    rememberShown(live);
    for (const [id, notification] of open.current) {
      if (live.some((alert) => alert.id === id && alert.acknowledged === null)) continue;
      notification.close();
      open.current.delete(id);
    }
  }, [live, openPage]);
  useEffect(() => {
    const shown = open.current;
    // No alert asks for a user any more.
    return () => {
      for (const notification of shown.values()) notification.close();
      shown.clear();
    };
  }, []);
  return null;
}
