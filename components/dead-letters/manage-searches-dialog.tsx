'use client';
import { CopyCommands, CopyLink } from '@/components/shared/requests/copy-request';
import { Callout } from '@/components/ui/callout';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Trash2 } from '@/components/ui/icons';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { useRemoveSearch } from '@/lib/browser/search/use-saved-searches';
import type { SavedSearch } from '@/lib/contract/search/search-schemas';
import { revealHidden } from '@/lib/format/display-text';

/** The user's own saved searches, each with a delete button. */
export function ManageSearchesDialog({
  searches,
  onClose,
}: {
  searches: readonly SavedSearch[];
  onClose: () => void;
}) {
  const { mutate, isPending, error, requestOf } = useRemoveSearch();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="My saved searches"
        size="md"
        footer={
          <span className="mr-auto">
            <CopyLink filled={() => ({})} />
          </span>
        }
      >
        <ul className="divide-y divide-line">
          {searches.map(({ id, name, q, shared }) => (
            <li key={id} className="flex items-center gap-3 py-1.5">
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm">
                  {revealHidden(name)}
                  {shared && <span className="text-faint text-xs"> · shared</span>}
                </span>
                <span translate="no" className="block truncate font-mono text-faint text-xs">
                  {revealHidden(q)}
                </span>
              </span>
              <span className="flex shrink-0 items-center">
                <CopyCommands request={() => requestOf({ id })} of={`delete ${revealHidden(name)}`} />
                <IconButton
                  label={`Delete ${revealHidden(name)}`}
                  variant="danger-quiet"
                  disabled={isPending}
                  onClick={() => mutate({ id })}
                >
                  <Trash2 aria-hidden />
                </IconButton>
              </span>
            </li>
          ))}
          {searches.length === 0 && <li className="py-3 text-muted text-sm">No saved searches.</li>}
        </ul>
        {error && <Callout tone="bad">{error.detail}</Callout>}
      </DialogContent>
    </Dialog>
  );
}
