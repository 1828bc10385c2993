import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/controls/button';
import type { OperationKind } from '@/lib/contract/operations/operation-kinds';
import { OperationButtons } from './operation-buttons';

/** Above a list: its summary, or the selection and its operations. Its height never changes. */
export function SelectionBar({
  summary,
  selected,
  offer,
  aside,
  onAct,
  onClear,
}: {
  summary: ReactNode;
  /** Size of the selection; null: none. */
  selected: ReactNode;
  /** A button to select more. */
  offer?: ReactNode;
  /** The age of the list, and the number of new rows while auto-refresh is paused. */
  aside: ReactNode;
  onAct: (kind: OperationKind) => void;
  onClear: () => void;
}) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-sunken px-3 py-1 text-sm">
      {selected === null ? (
        summary
      ) : (
        <>
          <span role="status" className="font-medium">
            {selected}
          </span>
          {offer}
          <span className="flex items-center gap-1.5">
            <OperationButtons onAct={onAct} />
            <Button size="sm" variant="ghost" onClick={onClear}>
              <X aria-hidden />
              Unselect
            </Button>
          </span>
        </>
      )}
      <span className="ml-auto flex items-center gap-2">{aside}</span>
    </div>
  );
}
