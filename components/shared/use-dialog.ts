'use client';
import { useState } from 'react';
import { urlOneOf, useUrlState } from './url-state';

/**
 * The open dialog of a page, kept in the URL so that a link reopens it. `mayOpen`: what the user may do here and now; an open
 * dialog stays, or a change that arrives meanwhile would close it.
 */
export function useDialog<Name extends string>(
  names: readonly Name[],
  mayOpen: (name: Name) => boolean,
): [Name | null, (name: Name | null) => void] {
  const [parsers] = useState(() => ({ dialog: urlOneOf(names) }));
  const [{ dialog }, set] = useUrlState(parsers);
  const [open, setOpen] = useState<Name | null>(null);
  if (dialog !== open && (dialog === null || mayOpen(dialog))) setOpen(dialog);
  return [open === dialog ? open : null, (name) => set({ dialog: name }, 'replace')];
}
