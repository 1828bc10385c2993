'use client';
import { RefreshCw } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { useDeadPage } from '@/lib/client/use-dead';
import type { DeadFilter, DeadPage } from '@/lib/contract/dead';

/** While the list is held still: whether it is still the truth, and a way to see the newest. */
export function NewArrivals({
  filter,
  shown,
  onRefresh,
}: {
  filter: DeadFilter;
  shown: DeadPage;
  onRefresh: () => void;
}) {
  const now = useDeadPage(filter, { limit: 1 }).data;
  const newest = now?.jobs[0]?.stateAt ?? 0;
  const arrived = newest > shown.at;
  const changed = arrived || (now !== undefined && now.matching.count !== shown.matching.count);
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-muted text-xs">
      {arrived ? 'Held still; new ones arrived' : changed ? 'Held still; some left since' : 'Held still'}
      <Button size="sm" variant="ghost" className={changed ? 'text-accent' : 'invisible'} onClick={onRefresh}>
        <RefreshCw aria-hidden />
        Refresh
      </Button>
    </span>
  );
}
