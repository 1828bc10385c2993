'use client';
import { RefreshCw } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { useSearch } from '@/lib/client/use-dead';
import type { SearchPage } from '@/lib/contract/dead';
import { arrivalsOf, arrivalWords } from './arrivals';

/** While the list is held still: how far it is from the truth, and a way to see that. */
export function NewArrivals({
  q,
  shown,
  onRefresh,
}: {
  q: string;
  shown: SearchPage;
  onRefresh: () => void;
}) {
  const { data: now, isPlaceholderData } = useSearch(q);
  const words = now && !isPlaceholderData ? arrivalWords(arrivalsOf(shown, now)) : null;
  return (
    <span role="status" className="inline-flex min-h-6 items-center gap-1.5 text-muted text-xs">
      {words === null ? (
        'Held still'
      ) : (
        <Button
          size="sm"
          variant="ghost"
          className="text-accent"
          onClick={onRefresh}
          title="Show the list as it is now"
        >
          <RefreshCw aria-hidden />
          {words}
        </Button>
      )}
    </span>
  );
}
