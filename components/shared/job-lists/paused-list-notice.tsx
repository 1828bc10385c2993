'use client';
import { Button } from '@/components/ui/controls/button';
import { RefreshCw } from '@/components/ui/icons';

/** That auto-refresh is paused, or what a click would load: "12 new". */
export function PausedListNotice({ label, onRefresh }: { label: string | null; onRefresh: () => void }) {
  return (
    <span
      role="status"
      className="inline-flex min-h-6 min-w-0 shrink! items-center gap-1.5 text-muted text-xs"
    >
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
  );
}
