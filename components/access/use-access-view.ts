'use client';
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useManagesAccess } from '@/lib/browser/access/use-access';

const TABS = ['users', 'tokens', 'sessions'] as const;

const PARSERS = {
  tab: parseAsStringLiteral(TABS),
  /** Items of all users, not only the user's own. */
  all: parseAsBoolean.withDefault(false),
  find: parseAsString.withDefault(''),
};

/** The view held by the URL, limited to what the user may see. */
export function useAccessView() {
  const manages = useManagesAccess();
  const [{ tab, all, find }, set] = useQueryStates(PARSERS, { history: 'push' });
  const asked = tab ?? (manages ? 'users' : 'tokens');
  return {
    manages,
    tab: !manages && asked === 'users' ? ('tokens' as const) : asked,
    all: manages && all,
    find,
    setAll: (next: boolean) => void set({ all: next || null }),
    setFind: (next: string) => void set({ find: next || null }, { history: 'replace' }),
  };
}
