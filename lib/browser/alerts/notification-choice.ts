'use client';
/** Whether this browser shows a notification for each new alert: off, until its user switches it on. */
import { useSyncExternalStore } from 'react';

const KEY = 'redrive.alert-notifications';
const listeners = new Set<() => void>();

function isChosen(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on';
  } catch {
    // Storage may be blocked.
    return false;
  }
}

/** Chosen here, and still allowed in the settings of the browser. */
const isOn = (): boolean =>
  typeof Notification !== 'undefined' && Notification.permission === 'granted' && isChosen();

/** Keeps the choice for all tabs of this console. */
export function setNotifications(on: boolean): void {
  try {
    if (on) localStorage.setItem(KEY, 'on');
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage they stay off.
  }
  for (const listener of listeners) listener();
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
