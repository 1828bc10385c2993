'use client';
import { PausedListNotice } from '@/components/shared/job-lists/paused-list-notice';
import { useNewestSearch } from '@/lib/browser/search/use-dead-letters';
import type { GroupsPage, SearchPage } from '@/lib/contract/search/search-schemas';
import { countGroupChanges, countNewResults, groupChangesLabel, newResultsLabel } from './new-results';

interface PausedPage<Page> {
  q: string;
  page: Page;
  onRefresh: () => void;
}

/** The number of new rows since auto-refresh was paused. */
export function NewRowsNotice({ q, page, onRefresh }: PausedPage<SearchPage>) {
  const { data: newest, isPlaceholderData } = useNewestSearch(q);
  const label = newest && !isPlaceholderData ? newResultsLabel(countNewResults(page, newest)) : null;
  return <PausedListNotice label={label} onRefresh={onRefresh} />;
}

/** The number of new failure groups since auto-refresh was paused. */
export function NewGroupsNotice({
  page,
  newest,
  onRefresh,
}: {
  page: GroupsPage;
  newest: GroupsPage | undefined;
  onRefresh: () => void;
}) {
  const label = newest ? groupChangesLabel(countGroupChanges(page, newest)) : null;
  return <PausedListNotice label={label} onRefresh={onRefresh} />;
}
