'use client';
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useManages } from '@/lib/client/use-access';

const TABS = ['people', 'tokens', 'sessions'] as const;
export type AccessTab = (typeof TABS)[number];

const PARSERS = {
  tab: parseAsStringLiteral(TABS),
  /** Everybody's, and not only one's own. */
  all: parseAsBoolean.withDefault(false),
  find: parseAsString.withDefault(''),
};

/** What the page shows, held by the URL, as far as it is theirs to see. */
export function useAccessView() {
  const manages = useManages();
  const [{ tab, all, find }, set] = useQueryStates(PARSERS, { history: 'push' });
  const asked = tab ?? (manages ? 'people' : 'tokens');
  return {
    manages,
    tab: !manages && asked === 'people' ? ('tokens' as const) : asked,
    all: manages && all,
    find,
    setAll: (next: boolean) => void set({ all: next || null }),
    setFind: (next: string) => void set({ find: next || null }, { history: 'replace' }),
  };
}
