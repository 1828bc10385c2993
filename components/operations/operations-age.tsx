'use client';
import { DataAge } from '@/components/ui/relative-time';
import { useOverview } from '@/lib/client/use-overview';

/** Operations arrive with the same frame as the overview, once a second. */
export function OperationsAge() {
  return <DataAge at={useOverview().data?.at} staleAfterMs={10_000} />;
}
