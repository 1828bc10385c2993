'use client';
import { DataAge } from '@/components/ui/relative-time';
import { usePeople, useSessionsPage, useTokens } from '@/lib/client/use-access';
import { useAccessView } from './use-access-view';

const STALE_AFTER_MS = 25_000;

export function AccessAge() {
  const { tab, all, manages } = useAccessView();
  if (tab === 'tokens') return <TokensAge all={all} />;
  if (tab === 'sessions') return <SessionsAge all={all} />;
  return <PeopleAge enabled={manages} />;
}

const PeopleAge = ({ enabled }: { enabled: boolean }) => (
  <DataAge at={usePeople(enabled).data?.at} staleAfterMs={STALE_AFTER_MS} />
);
const TokensAge = ({ all }: { all: boolean }) => (
  <DataAge at={useTokens(all).data?.at} staleAfterMs={STALE_AFTER_MS} />
);
const SessionsAge = ({ all }: { all: boolean }) => (
  <DataAge at={useSessionsPage(all).data?.at} staleAfterMs={STALE_AFTER_MS} />
);
