import type { ReactNode } from 'react';
import { Button } from '@/components/ui/controls/button';
import { X } from '@/components/ui/icons';
import { pageActions } from '@/components/ui/page-actions';

/** Above a list: its summary, or the selection and its operations. Its height never changes. */
export function SelectionBar({
  summary,
  selected,
  offer,
  actions,
  aside,
  onClear,
}: {
  summary: ReactNode;
  /** Size of the selection; null: none. */
  selected: ReactNode;
  /** A button to select more. */
  offer?: ReactNode;
  /** The operations on the selection. */
  actions: ReactNode;
  /** The age of the list, and the number of new rows while auto-refresh is paused. */
  aside: ReactNode;
  onClear: () => void;
}) {
  return (
    <div className="@container flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-sunken px-3 py-1 text-sm">
      {selected === null ? (
        summary
      ) : (
        <>
          <span role="status" className="font-medium">
            {selected}
          </span>
          {offer}
          <span className="flex items-center gap-1.5" {...pageActions}>
            {actions}
            <Button size="sm" variant="ghost" onClick={onClear}>
              <X aria-hidden />
              Unselect
            </Button>
          </span>
        </>
      )}
      {/* A touch makes the list stand still, and the notice of that must not move the button under the finger. */}
      <span className="ml-auto flex flex-1 items-center justify-end gap-2 [&>*]:shrink-0">{aside}</span>
    </div>
  );
}
