'use client';
import { RefreshCw } from 'lucide-react';
import { Button } from '@/components/ui/controls/button';
import { useGroups, useSearch } from '@/lib/browser/search/use-dead-letters';
import type { GroupsPage, SearchPage } from '@/lib/contract/search/search-schemas';
import { countGroupChanges, countNewResults, groupChangesLabel, newResultsLabel } from './new-results';

interface PausedPage<Page> {
  q: string;
  page: Page;
  onRefresh: () => void;
}

/** The number of new rows since auto-refresh was paused. */
export function NewRowsNotice({ q, page, onRefresh }: PausedPage<SearchPage>) {
  const { data: latest, isPlaceholderData } = useSearch(q);
  const label = latest && !isPlaceholderData ? newResultsLabel(countNewResults(page, latest)) : null;
  return <PausedListNotice label={label} onRefresh={onRefresh} />;
}

/** The number of new failure groups since auto-refresh was paused. */
export function NewGroupsNotice({ q, page, onRefresh }: PausedPage<GroupsPage>) {
  const { data: latest, isPlaceholderData } = useGroups(q);
  const label = latest && !isPlaceholderData ? groupChangesLabel(countGroupChanges(page, latest)) : null;
  return <PausedListNotice label={label} onRefresh={onRefresh} />;
}

function PausedListNotice({ label, onRefresh }: { label: string | null; onRefresh: () => void }) {
  return (
    <span role="status" className="inline-flex min-h-6 items-center gap-1.5 text-muted text-xs">
      {label === null ? (
        'Auto-refresh paused'
      ) : (
        <Button
          size="sm"
          variant="ghost"
          className="text-accent"
          onClick={onRefresh}
          title="Auto-refresh is paused while something is selected. Refresh now."
        >
          <RefreshCw aria-hidden />
          {label}
        </Button>
      )}
    </span>
  );
}
