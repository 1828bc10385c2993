'use client';
import { DataAge } from '@/components/ui/relative-time';
import { useOverview } from '@/lib/client/use-overview';

/** How old the numbers of every queue are. */
export function OverviewAge() {
  return <DataAge at={useOverview().data?.at} staleAfterMs={5_000} />;
}
