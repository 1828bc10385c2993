'use client';
import { useState } from 'react';
import { useHydrating } from '@/lib/browser/api/hydration';
import { type Filled, fillIn, readFilled } from '@/lib/browser/dialog-link';

/** What the link that opened this dialog fills in. */
export function useFilledLink(): Filled {
  // Servers do not hear of it: what hydrates their HTML must begin without it.
  const hydrating = useHydrating();
  const [filled] = useState(() => (hydrating ? {} : readFilled(window.location.href)));
  return filled;
}

/** The first values of a form in a dialog, with those of the link that opened it. Payloads and secrets are never in one. */
export function useFilled<Values extends object>(
  values: Values,
  isUsable: (values: Values) => boolean = () => true,
): Values {
  const filled = useFilledLink();
  const [first] = useState(() => {
    const all = fillIn(values, filled);
    return isUsable(all) ? all : values;
  });
  return first;
}
