'use client';
import { useEffect } from 'react';
import { firingAlerts } from '@/lib/browser/alerts/firing-alerts';
import { useNotificationsOn } from '@/lib/browser/alerts/notification-choice';
import { isUrgent, useAlerts } from '@/lib/browser/alerts/use-alerts';
import { AlertNotifier } from './alert-notifier';

/** On every page, loaded after its first data: counts the alerts that fire for the navigation, and shows notifications where they are on. */
export function AlertWatch() {
  const urgent = useAlerts().data?.live.filter(isUrgent) ?? [];
  const count = urgent.length;
  const isBad = urgent.some(({ level }) => level === 'bad');
  useEffect(() => firingAlerts.set(count > 0 ? { count, isBad } : null), [count, isBad]);
  return useNotificationsOn() ? <AlertNotifier /> : null;
}
