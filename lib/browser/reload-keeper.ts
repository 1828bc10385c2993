/**
 * What a reload of this tab must not lose, such as a selection or a wizard that is half filled in. It is in the storage of the tab only, and
 * comes back once: after a reload, at the address that it was made at. Another visit of that page begins anew.
 */

const PREFIX = 'redrive.reload.';
const TEXT_MAX_CHARS = 200_000;

/** Names that were asked for since the page was loaded. */
const taken = new Set<string>();

const address = (): string => `${window.location.pathname}${window.location.search}`;

function wasReloaded(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  return (entry as PerformanceNavigationTiming | undefined)?.type === 'reload';
}

/** Null: nothing. Storage may be blocked, or hold something else: check what it returns. */
export function takeKept(name: string): unknown {
  if (taken.has(name)) return null;
  taken.add(name);
  if (!wasReloaded()) return null;
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('at' in kept) || !('value' in kept)) return null;
    return kept.at === address() ? kept.value : null;
  } catch {
    return null;
  }
}

/** @param value as JSON; null: nothing is to be kept any more */
export function keepForReload(name: string, value: object | null): void {
  try {
    const text = value && JSON.stringify({ at: address(), value });
    if (text === null || text.length > TEXT_MAX_CHARS) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, text);
  } catch {
    // A reload loses it then.
  }
}
