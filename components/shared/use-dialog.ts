'use client';
import { useState } from 'react';
import { forgetFilled } from '@/lib/browser/forget-filled';
import { urlOneOf, urlText, useUrlState } from './url-state';

/**
 * The open dialog of a page, kept in the URL so that a link reopens it. `mayOpen`: what the user may do here and now; an open
 * dialog stays, or a change that arrives meanwhile would close it. `of`: which row it is about, where each has such dialogs.
 */
export function useDialog<Name extends string>(
  names: readonly Name[],
  mayOpen: (name: Name) => boolean,
  of: string | null = null,
): [Name | null, (name: Name | null) => void] {
  const [parsers] = useState(() => ({ dialog: urlOneOf(names), of: urlText }));
  const [address, set] = useUrlState(parsers);
  const dialog = address.of === of ? address.dialog : null;
  const [open, setOpen] = useState<Name | null>(null);
  if (dialog !== open && (dialog === null || mayOpen(dialog))) setOpen(dialog);
  const ask = (name: Name | null) => {
    forgetFilled();
    set({ dialog: name, of: name === null ? null : of }, 'replace');
  };
  return [open === dialog ? open : null, ask];
}
