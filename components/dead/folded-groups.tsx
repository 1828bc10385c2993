'use client';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { Group } from '@/lib/contract/dead';
import { attendedWords } from './group-words';

/** Resolved and muted groups: one line that says how many, and all of them on demand. */
export function FoldedGroups({
  groups,
  unfolded,
  onUnfold,
  children,
}: {
  groups: readonly Group[];
  unfolded: boolean;
  onUnfold: (unfolded: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  if (groups.length === 0) return null;
  const Arrow = unfolded ? ChevronDown : ChevronRight;
  return (
    <>
      <button
        type="button"
        aria-expanded={unfolded}
        aria-controls={unfolded ? id : undefined}
        onClick={() => onUnfold(!unfolded)}
        className="flex h-8 w-full items-center gap-2 px-3 text-left text-muted text-sm hover:bg-hover hover:text-fg"
      >
        <Arrow aria-hidden className="size-3.5" />
        {attendedWords(groups)}
      </button>
      {unfolded && <div id={id}>{children}</div>}
    </>
  );
}
