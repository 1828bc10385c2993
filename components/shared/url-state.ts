'use client';
/**
 * State of a page that its URL holds, so that it can be shared as a link. Next's router hears of a change some frames later; until then
 * the hook returns what was written, or fields that are typed into would lose letters. Of our own, because a library's would be a tenth of
 * the script that each page begins with.
 */
import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { createStore } from '@/lib/browser/store';

export interface UrlParser<T> {
  /** Null: the parameter is absent or wrong. */
  readonly parse: (text: string) => T | null;
  readonly fallback?: T;
}
type Parsers = Record<string, UrlParser<unknown>>;
type ValueOf<P> = P extends { fallback: infer T } ? T : P extends UrlParser<infer T> ? T | null : never;
export type UrlValues<P extends Parsers> = { [K in keyof P]: ValueOf<P[K]> };
type Change<P extends Parsers> = { [K in keyof P]?: UrlValues<P>[K] | null };
/** A new entry of the browser's history, or the present one. */
type HistoryMode = 'push' | 'replace';

export const urlText: UrlParser<string> = { parse: (text) => text };
export const urlFlag: UrlParser<boolean> = {
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : null),
};
export const urlInteger: UrlParser<number> = {
  parse: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : null),
};
export const urlOneOf = <T extends string>(options: readonly T[]): UrlParser<T> => ({
  parse: (text) => options.find((option) => option === text) ?? null,
});
export const withFallback = <T>(parser: UrlParser<T>, fallback: T) => ({ ...parser, fallback });

interface Written {
  readonly path: string;
  /** What the router said before, and then what was written since, latest last. */
  readonly searches: readonly string[];
}
const written = createStore<Written | null>(null);
const none = () => null;
const forget = () => written.set(null);
let readers = 0;

/**
 * A busy browser's router may hear of a change many seconds later, and an open dialog keeps its draft until then. What was written is
 * forgotten before that only when the page is left, which would find it when it is opened again, or by Back, which takes it away.
 */
function subscribe(listener: () => void): () => void {
  if (readers++ === 0) window.addEventListener('popstate', forget);
  const unsubscribe = written.subscribe(listener);
  return () => {
    unsubscribe();
    if (--readers > 0) return;
    window.removeEventListener('popstate', forget);
    forget();
  };
}

/** Values that equal their fallback are absent from the URL. */
export function useUrlState<P extends Parsers>(
  parsers: P,
  history: HistoryMode = 'replace',
): [UrlValues<P>, (change: Change<P>, mode?: HistoryMode) => void] {
  const path = usePathname();
  const routed = useSearchParams()?.toString() ?? '';
  const waiting = useSyncExternalStore(subscribe, written.get, none);
  // The answer to a request calls the `set` of the render that sent it: by then the router may have moved on.
  const arrived = useRef(routed);
  useEffect(() => {
    arrived.current = routed;
    settle(path, routed);
  }, [path, routed]);
  const latest = waiting && waiting.path === path ? waiting.searches.at(-1) : undefined;
  const params = new URLSearchParams(latest ?? routed);
  const values = Object.entries(parsers).map(([name, { parse, fallback }]) => {
    const text = params.get(name);
    return [name, (text === null ? null : parse(text)) ?? fallback ?? null];
  });
  const set = useCallback(
    (change: Change<P>, mode: HistoryMode = history) => {
      const before = written.get();
      const searches = before?.path === path ? before.searches : [arrived.current];
      const next = new URLSearchParams(searches.at(-1));
      for (const [name, value] of Object.entries(change))
        if (value === null || value === undefined || value === parsers[name]?.fallback) next.delete(name);
        else next.set(name, String(value));
      const search = next.toString();
      if (search === searches.at(-1)) return;
      written.set({ path, searches: [...searches, search] });
      const url = `${window.location.pathname}${search && `?${search}`}${window.location.hash}`;
      window.history[mode === 'push' ? 'pushState' : 'replaceState'](null, '', url);
    },
    [path, parsers, history],
  );
  return [Object.fromEntries(values) as UrlValues<P>, set];
}

/** The router has arrived at `search`: at the latest that was written, on the way to it, or at a place that a link or Back chose. */
function settle(path: string, search: string): void {
  const before = written.get();
  if (before === null) return;
  const index = before.path === path ? before.searches.indexOf(search) : -1;
  if (index === 0) return;
  const isUnderWay = index > 0 && index < before.searches.length - 1;
  written.set(isUnderWay ? { path, searches: before.searches.slice(index) } : null);
}
