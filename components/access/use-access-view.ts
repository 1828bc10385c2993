'use client';
import { urlFlag, urlOneOf, urlText, useUrlState, withFallback } from '@/components/shared/url-state';
import { useManagesAccess } from '@/lib/browser/access/use-access';

const TABS = ['users', 'tokens', 'sessions'] as const;

const PARSERS = {
  tab: urlOneOf(TABS),
  /** Items of all users, not only the user's own. */
  all: withFallback(urlFlag, false),
  find: withFallback(urlText, ''),
};

/** The view held by the URL, limited to what the user may see. */
export function useAccessView() {
  const manages = useManagesAccess();
  const [{ tab, all, find }, set] = useUrlState(PARSERS, 'push');
  const asked = tab ?? (manages ? 'users' : 'tokens');
  return {
    manages,
    tab: !manages && asked === 'users' ? ('tokens' as const) : asked,
    all: manages && all,
    find,
    setAll: (next: boolean) => set({ all: next || null }),
    setFind: (next: string) => set({ find: next || null }, 'replace'),
  };
}
