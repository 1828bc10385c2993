'use client';
import { DataAge } from '@/components/ui/relative-time';
import { useOverview } from '@/lib/client/use-overview';

const STALE_AFTER_MS = 5_000;

/** How old the oldest numbers are: of very many queues they are read in turns, which is no trouble. */
export function OverviewAge() {
  const overview = useOverview().data;
  const turnsMs = overview ? overview.at - overview.oldestAt : 0;
  return <DataAge at={overview?.oldestAt} staleAfterMs={STALE_AFTER_MS + turnsMs} />;
}
