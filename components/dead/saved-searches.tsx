'use client';
import { Bookmark, BookmarkPlus, ListX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/dropdown-menu';
import { useMe } from '@/lib/client/use-me';
import { useSavedSearches } from '@/lib/client/use-searches';
import type { SavedSearch } from '@/lib/contract/dead';
import { visible } from '@/lib/format/text';
import { ManageSearches } from './manage-searches';
import { SaveSearch } from './save-search';

/** Searches kept by name: one's own, and those that somebody shares with everybody. */
export function SavedSearches({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const { data: searches, error } = useSavedSearches();
  const me = useMe().data?.name;
  const [dialog, setDialog] = useState<'save' | 'manage' | null>(null);
  // What is not shared is only ever sent to who saved it.
  const isMine = ({ owner, shared }: SavedSearch) => owner === me || !shared;
  const mine = searches?.filter(isMine) ?? [];
  const others = searches?.filter((search) => !isMine(search)) ?? [];
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button className="h-8">
            <Bookmark aria-hidden />
            <span className="max-sm:sr-only">Saved searches</span>
          </Button>
        </MenuTrigger>
        <MenuContent className="max-w-96">
          <MenuItem disabled={q.trim() === ''} onSelect={() => setDialog('save')}>
            <BookmarkPlus aria-hidden />
            Save this search…
          </MenuItem>
          {mine.length > 0 && (
            <MenuItem onSelect={() => setDialog('manage')}>
              <ListX aria-hidden />
              Delete saved searches…
            </MenuItem>
          )}
          <Section label="Mine" searches={mine} onSearch={onSearch} />
          <Section label="Shared by others" searches={others} onSearch={onSearch} />
          {searches?.length === 0 && <MenuLabel>None is saved yet</MenuLabel>}
          {error && !searches && <MenuLabel>They could not be loaded: {error.detail}</MenuLabel>}
        </MenuContent>
      </Menu>
      {dialog === 'save' && <SaveSearch q={q} onClose={() => setDialog(null)} />}
      {dialog === 'manage' && <ManageSearches searches={mine} onClose={() => setDialog(null)} />}
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
            {visible(name)}
            {shared && (
              <span className="text-faint text-xs"> · {label === 'Mine' ? 'shared' : visible(owner)}</span>
            )}
          </span>
          <span className="max-w-full truncate font-mono text-2xs text-faint">{visible(q)}</span>
        </MenuItem>
      ))}
    </>
  );
}
