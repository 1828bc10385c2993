/** What the user opened from the finder lately, for this tab. Only addresses and their labels. */

import { readStoredJson, writeStored } from '@/lib/device/browser-storage';

export interface RecentItem {
  readonly label: string;
  readonly kind: string;
  readonly href: string;
}
const KEY = 'redrive.finder.recent';
const MOST = 6;

export function readRecent(): readonly RecentItem[] {
  const items = readStoredJson('session', KEY);
  return Array.isArray(items) ? items.filter(isRecentItem).slice(0, MOST) : [];
}

export function rememberRecent(item: RecentItem): void {
  const items = [item, ...readRecent().filter(({ href }) => href !== item.href)].slice(0, MOST);
  writeStored('session', KEY, JSON.stringify(items));
}

/** An address of this console only: addresses of other sites in the storage are ignored. */
function isRecentItem(item: unknown): item is RecentItem {
  if (typeof item !== 'object' || item === null) return false;
  const { label, kind, href } = item as Record<string, unknown>;
  const isPath = typeof href === 'string' && /^\/(?![/\\])/.test(href);
  return typeof label === 'string' && typeof kind === 'string' && isPath;
}
