'use client';
import { Button } from '@/components/ui/controls/button';
import { RefreshCw } from '@/components/ui/icons';

/** That auto-refresh is paused, or what a click would load: "12 new". */
export function PausedListNotice({ label, onRefresh }: { label: string | null; onRefresh: () => void }) {
  // It takes the room that is left, and asks for none: the bar must not get another line by it.
  return (
    <span
      role="status"
      className="-mr-2 flex min-h-6 w-0 flex-1 justify-end overflow-hidden text-muted text-xs"
    >
      <span className="flex min-w-0 items-center pr-2">
        {label === null ? (
          <span className="truncate">
            <span className="max-sm:sr-only">Auto-refresh </span>paused
          </span>
        ) : (
          <Button
            size="sm"
            variant="ghost"
            className="text-accent"
            onClick={onRefresh}
            title="The list stands still while you point at it or something is selected. Load the new rows."
          >
            <RefreshCw aria-hidden />
            {label}
          </Button>
        )}
      </span>
    </span>
  );
}
