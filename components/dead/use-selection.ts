'use client';
import { useState } from 'react';
import { NOTHING, reduceSelection, type Selection, type SelectionEvent } from './selection';

/** What is selected of a query's matches. Another query is another set, so nothing of it is chosen yet. */
export function useSelection(q: string): [Selection, (event: SelectionEvent) => void] {
  const [state, setState] = useState({ of: q, selection: NOTHING });
  const fresh = state.of !== q;
  if (fresh) setState({ of: q, selection: NOTHING });
  return [
    fresh ? NOTHING : state.selection,
    (event) =>
      setState((now) => ({
        of: q,
        selection: reduceSelection(now.of === q ? now.selection : NOTHING, event),
      })),
  ];
}
