'use client';
/** Whether this browser shows a notification for each new alert: off, until its user switches it on. */
import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '@/lib/device/browser-storage';
import { notificationsAllowed } from './show-notification';

const KEY = 'redrive.alert-notifications';
const listeners = new Set<() => void>();

/** Chosen here, and still allowed in the settings of the browser. */
const isOn = (): boolean => notificationsAllowed() && readStored('local', KEY) === 'on';

/**
 * Keeps the choice for all tabs of this console.
 * @returns false: this browser keeps nothing, so they stay off
 */
export function setNotifications(on: boolean): boolean {
  const isKept = writeStored('local', KEY, on ? 'on' : null);
  for (const listener of listeners) listener();
  return isKept;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab changed it.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export const useNotificationsOn = (): boolean => useSyncExternalStore(subscribe, isOn, () => false);
