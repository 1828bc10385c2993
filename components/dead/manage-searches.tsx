'use client';
import { Trash2 } from 'lucide-react';
import { Callout } from '@/components/ui/callout';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { IconButton } from '@/components/ui/icon-button';
import { useRemoveSearch } from '@/lib/client/use-searches';
import type { SavedSearch } from '@/lib/contract/dead';
import { visible } from '@/lib/format/text';

/** One's own saved searches, each to be deleted. Nothing is lost with one but its name. */
export function ManageSearches({
  searches,
  onClose,
}: {
  searches: readonly SavedSearch[];
  onClose: () => void;
}) {
  const { mutate, isPending, error } = useRemoveSearch();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="My saved searches" size="md">
        <ul className="divide-y divide-line">
          {searches.map(({ id, name, q, shared }) => (
            <li key={id} className="flex items-center gap-3 py-1.5">
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm">
                  {visible(name)}
                  {shared && <span className="text-faint text-xs"> · shared</span>}
                </span>
                <span className="block truncate font-mono text-faint text-xs">{visible(q)}</span>
              </span>
              <IconButton
                label={`Delete ${visible(name)}`}
                variant="danger-quiet"
                disabled={isPending}
                onClick={() => mutate({ id })}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          ))}
          {searches.length === 0 && <li className="py-3 text-muted text-sm">None is left.</li>}
        </ul>
        {error && <Callout tone="bad">{error.detail}</Callout>}
      </DialogContent>
    </Dialog>
  );
}
