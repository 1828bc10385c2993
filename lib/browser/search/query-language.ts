/** The query language in the browser: a script of its own, loaded beside the page. The empty query needs nothing of it. */
import { useEffect, useSyncExternalStore } from 'react';
import type { ParsedQuery } from '@/lib/contract/search/query';
import { REFETCH_MS } from '../api/query-defaults';
import { createStore } from '../store';

export type QueryLanguage = typeof import('@/lib/contract/search/query');

const loaded = createStore<QueryLanguage | null>(null);
let loading: Promise<QueryLanguage> | null = null;

export const queryLanguage = {
  /** Null until it is loaded. */
  get: loaded.get,
  load(): Promise<QueryLanguage> {
    loading ??= import('@/lib/contract/search/query').then(
      (language) => {
        loaded.set(language);
        return language;
      },
      (error: unknown) => {
        loading = null;
        throw error;
      },
    );
    return loading;
  },
};

/** Loads it, again and again while the console cannot be reached; null until then. */
export function useQueryLanguage(): QueryLanguage | null {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const load = () => {
      queryLanguage.load().catch(() => {
        if (!isOver) timer = setTimeout(load, REFETCH_MS);
      });
    };
    load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  return useSyncExternalStore(loaded.subscribe, loaded.get, () => null);
}

const EVERYTHING: ParsedQuery = { ok: true, filter: { kind: 'all' } };

/** Null: this text cannot be read before the language is loaded. */
export const parseWith = (language: QueryLanguage | null, text: string): ParsedQuery | null =>
  text.trim() === '' ? EVERYTHING : (language?.parseQuery(text) ?? null);
