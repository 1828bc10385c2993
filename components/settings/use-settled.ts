'use client';
import { useEffect, useMemo, useState } from 'react';
import type { DraftErrors } from './read-draft';

/** Nobody should be corrected in the middle of a word. */
const SETTLE_MS = 700;

/** Errors that are there since typing stopped; those put right vanish at once. `tell` shows all of them now. */
export function useSettled(errors: DraftErrors): { shown: DraftErrors; tell: () => void } {
  const [settled, setSettled] = useState<DraftErrors>(errors);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(errors), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [errors]);
  const shown = useMemo(
    () => Object.fromEntries(Object.entries(errors).filter(([place]) => place in settled)),
    [errors, settled],
  );
  return { shown, tell: () => setSettled(errors) };
}
