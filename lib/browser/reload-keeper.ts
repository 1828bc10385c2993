/**
 * What a reload of this tab must not lose, such as a selection or a wizard that is half filled in. It is in the storage of the tab only, and
 * comes back once: after a reload, at the address that it was made at. Another visit of that page begins anew.
 */

import { readStoredJson, writeStored } from '@/lib/device/browser-storage';

const PREFIX = 'redrive.reload.';
const TEXT_MAX_CHARS = 200_000;

/** Names that were asked for since the page was loaded. */
const taken = new Set<string>();

const address = (): string => `${window.location.pathname}${window.location.search}`;

function wasReloaded(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return (entry as PerformanceNavigationTiming | undefined)?.type === 'reload';
}

/** Null: nothing. Storage may hold something else: check what it returns. */
export function takeKept(name: string): unknown {
  if (taken.has(name)) return null;
  taken.add(name);
  if (!wasReloaded()) return null;
  const kept = readStoredJson('session', PREFIX + name);
  if (typeof kept !== 'object' || kept === null || !('at' in kept) || !('value' in kept)) return null;
  return kept.at === address() ? kept.value : null;
}

/** @param value as JSON; null: nothing is to be kept any more */
export function keepForReload(name: string, value: object | null): void {
  const text = value && JSON.stringify({ at: address(), value });
  writeStored('session', PREFIX + name, text && text.length <= TEXT_MAX_CHARS ? text : null);
}
