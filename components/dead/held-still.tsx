import { RefreshCw } from 'lucide-react';
import { Button } from '@/components/ui/button';

/** Beside a list that is held still: how far it is from the truth (null: not at all), and a way to see that. */
export function HeldStill({ words, onRefresh }: { words: string | null; onRefresh: () => void }) {
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
