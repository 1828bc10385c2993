/**
 * Over HTTP/1.1 a browser has six connections to a console for all its tabs, and each event stream takes a connection for good: with six
 * streams no request answers any more. So few tabs have a stream, and further tabs poll. Tabs agree through storage, which plain HTTP from
 * another machine has, too, other than Web Locks. Where the browser blocks storage, only the tab with the focus has a stream.
 */
import { readStoredJson, writeStored } from '@/lib/device/browser-storage';

/** Leaves half of the connections to requests. */
export const STREAMS_A_BROWSER = 3;
/** Renewed with the frames, which come each second: a tab that crashed frees its seat after so long. */
export const SEAT_MS = 10_000;
const KEY = 'redrive.streams';

/** Why a tab has no stream: other tabs have all seats, or tabs cannot agree and this tab has no focus. */
export type NoSeat = 'taken' | 'unfocused';

export interface StreamSeats {
  /** Takes or keeps a seat. Null: the tab has a seat. */
  take(): NoSeat | null;
  leave(): void;
}

export interface SeatOptions {
  /** An id that no other tab has; of tabs that took seats at once, those with the first ids in order keep theirs. */
  tab: string;
  hasFocus: () => boolean;
  now?: () => number;
}

export function createStreamSeats({ tab, hasFocus, now = Date.now }: SeatOptions): StreamSeats {
  /** Who has a seat until when; what is past, broken or too far ahead does not count. */
  const held = (): [string, number][] => {
    const stored = readStoredJson('local', KEY);
    const entries: [string, unknown][] =
      typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
    return entries.filter(
      (entry): entry is [string, number] => Number(entry[1]) > now() && Number(entry[1]) <= now() + SEAT_MS,
    );
  };
  const write = (entries: [string, number][]): boolean =>
    writeStored('local', KEY, entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries)));
  return {
    take() {
      const all = held();
      const others = all.filter(([name]) => name !== tab);
      const own = all.find(([name]) => name === tab)?.[1];
      const before = own === undefined ? others.length : others.filter(([name]) => name < tab).length;
      if (before >= STREAMS_A_BROWSER) {
        if (own !== undefined) write(others);
        return 'taken';
      }
      // Each write wakes the other tabs, so the tab does not write with each frame.
      if (own !== undefined && own - now() >= SEAT_MS / 2) return null;
      return write([...others, [tab, now() + SEAT_MS]]) || hasFocus() ? null : 'unfocused';
    },
    leave() {
      const all = held();
      if (all.some(([name]) => name === tab)) write(all.filter(([name]) => name !== tab));
    },
  };
}

/** For a browser whose tabs share one connection. */
export const FREE_SEATS: StreamSeats = { take: () => null, leave: () => undefined };

/** Whether the page came over HTTP/2 or 3, where streams and requests share a connection. */
export function sharesConnection(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return /^h[23]/.test(page?.nextHopProtocol ?? '');
}
