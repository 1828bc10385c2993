'use client';
/** The time zone of all times on screen, chosen by the user and kept by the browser. */
import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '@/lib/device/browser-storage';

/** `local`: the browser's zone. Otherwise an IANA name, such as UTC or Europe/Berlin. */
export type TimeZoneChoice = 'local' | (string & {});

const KEY = 'redrive.time-zone';
const listeners = new Set<() => void>();

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** All names of the browser, whose list may lack UTC. */
export const timeZoneNames = (): readonly string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Unknown names, such as those of a newer browser, count as `local`. */
function readChoice(): TimeZoneChoice {
  const name = readStored('local', KEY);
  return name !== null && name !== 'local' && isTimeZone(name) ? name : 'local';
}

let choice: TimeZoneChoice | null = null;
const current = (): TimeZoneChoice => {
  choice ??= readChoice();
  return choice;
};

function announce() {
  for (const listener of listeners) listener();
}

export function setTimeZone(next: TimeZoneChoice): void {
  choice = next;
  writeStored('local', KEY, next);
  announce();
}

/** Another tab changed it. */
function onStorage({ key }: StorageEvent) {
  if (key !== KEY && key !== null) return;
  choice = null;
  announce();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}

export const useTimeZoneChoice = (): TimeZoneChoice =>
  useSyncExternalStore(subscribe, current, () => 'UTC' as const);

/** The zone's IANA name. The server does not know the user's: until the browser takes over, it is UTC. */
export function useTimeZone(): string {
  const chosen = useTimeZoneChoice();
  return chosen === 'local' ? browserTimeZone() : chosen;
}
