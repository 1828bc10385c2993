'use client';
import { useMemo } from 'react';
import { useDeadFacets } from '@/lib/client/use-dead';
import { useOverview } from '@/lib/client/use-overview';
import type { DeadFacets } from '@/lib/contract/dead';

/**
 * The values of each field with their counts: all that is dead in the chosen queue, or in every queue. The other
 * conditions do not narrow them, so that one can go from one value to another. Queues come from the overview.
 */
export function useFacets(queue: string | undefined): DeadFacets | null {
  const scope = useMemo(() => (queue === undefined ? {} : { queue }), [queue]);
  const facets = useDeadFacets(scope).data;
  const queues = useOverview().data?.queues;
  return useMemo(() => {
    if (!facets) return null;
    const perQueue = queues
      ?.filter(({ counts }) => counts.dead > 0)
      .map(({ queue: value, counts }) => ({ value, count: counts.dead }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    return { ...facets, queue: perQueue ?? facets.queue };
  }, [facets, queues]);
}
