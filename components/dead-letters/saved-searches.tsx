'use client';
import { useDialog } from '@/components/shared/use-dialog';
import { Button } from '@/components/ui/controls/button';
import { Bookmark, BookmarkPlus, ListX } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { usePageActions } from '@/components/ui/use-page-actions';
import { useMe } from '@/lib/browser/access/use-me';
import { useSavedSearches } from '@/lib/browser/search/use-saved-searches';
import type { SavedSearch } from '@/lib/contract/search/search-schemas';
import { revealHidden } from '@/lib/format/display-text';

const SaveSearchDialog = lazyPart(() =>
  import('./save-search-dialog').then((module) => module.SaveSearchDialog),
);
const ManageSearchesDialog = lazyPart(() =>
  import('./manage-searches-dialog').then((module) => module.ManageSearchesDialog),
);

const DIALOGS = ['save-search', 'saved-searches'] as const;

/** Saved searches: the user's own and the shared ones of others. */
export function SavedSearches({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const { data: searches, error } = useSavedSearches();
  const me = useMe().data?.name;
  const [dialog, setDialog] = useDialog(DIALOGS, (name) => name === 'saved-searches' || q.trim() !== '');
  // The API sends an unshared search only to its owner.
  const isMine = ({ owner, shared }: SavedSearch) => owner === me || !shared;
  const mine = searches?.filter(isMine) ?? [];
  const others = searches?.filter((search) => !isMine(search)) ?? [];
  const items = [
    { label: 'Save this search…', run: () => setDialog('save-search'), isOffered: q.trim() !== '' },
    { label: 'Delete saved searches…', run: () => setDialog('saved-searches'), isOffered: mine.length > 0 },
  ];
  usePageActions(items.filter(({ isOffered }) => isOffered));
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button className="h-8">
            <Bookmark aria-hidden />
            <span className="max-sm:sr-only">Saved searches</span>
          </Button>
        </MenuTrigger>
        <MenuContent className="max-w-[min(24rem,calc(100vw-1rem))]">
          <MenuItem disabled={q.trim() === ''} onSelect={() => setDialog('save-search')}>
            <BookmarkPlus aria-hidden />
            Save this search…
          </MenuItem>
          {mine.length > 0 && (
            <MenuItem onSelect={() => setDialog('saved-searches')}>
              <ListX aria-hidden />
              Delete saved searches…
            </MenuItem>
          )}
          <Section label="Mine" searches={mine} onSearch={onSearch} />
          <Section label="Shared by others" searches={others} onSearch={onSearch} />
          {searches?.length === 0 && <MenuLabel>No saved searches</MenuLabel>}
          {error && !searches && <MenuLabel>Could not load them: {error.detail}</MenuLabel>}
        </MenuContent>
      </Menu>
      {dialog === 'save-search' && <SaveSearchDialog q={q} onClose={() => setDialog(null)} />}
      {dialog === 'saved-searches' && (
        <ManageSearchesDialog searches={mine} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

function Section({
  label,
  searches,
  onSearch,
}: {
  label: string;
  searches: readonly SavedSearch[];
  onSearch: (q: string) => void;
}) {
  if (searches.length === 0) return null;
  return (
    <>
      <MenuSeparator />
      <MenuLabel>{label}</MenuLabel>
      {searches.map(({ id, name, q, owner, shared }) => (
        <MenuItem
          key={id}
          className="h-auto min-h-7 flex-col items-start gap-0 py-1"
          onSelect={() => onSearch(q)}
        >
          <span className="max-w-full truncate">
            {revealHidden(name)}
            {shared && (
              <span className="text-faint text-xs">
                {' '}
                · {label === 'Mine' ? 'shared' : revealHidden(owner)}
              </span>
            )}
          </span>
          <span translate="no" className="max-w-full truncate font-mono text-2xs text-faint">
            {revealHidden(q)}
          </span>
        </MenuItem>
      ))}
    </>
  );
}
