'use client';
import { Button } from '@/components/ui/button';
import { count } from '@/lib/format/plural';

/** How many settings are edited, and what to do about it. Always in sight while something is. */
export function SaveBar({
  edited,
  wrong,
  onDiscard,
  onSave,
  children,
}: {
  edited: number;
  /** How many fields cannot be read. */
  wrong: number;
  onDiscard: () => void;
  onSave: () => void;
  /** What has to be said first, above the buttons. */
  children?: React.ReactNode;
}) {
  return (
    <div className="sticky bottom-0 z-20 -mx-4 border-line-strong border-t bg-raised px-4 py-2 max-md:bottom-14 max-sm:-mx-2">
      <div className="mb-2 max-h-[40dvh] overflow-y-auto empty:hidden">{children}</div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="min-w-0 flex-1 text-sm">
          {wrong > 0 ? (
            <span className="text-bad">{count(wrong, 'field')} to put right before saving</span>
          ) : (
            `${count(edited, 'setting')} edited, not saved yet`
          )}
        </p>
        <Button onClick={onDiscard}>Discard</Button>
        <Button variant="primary" onClick={onSave}>
          Save…
        </Button>
      </div>
    </div>
  );
}
