'use client';
import { useEffect, useRef, useState } from 'react';
import { useMovements } from '@/lib/client/live';
import { DOTS_MAX, type Dot, dotsFor } from './flow-dots';

/** How long a dot is under way; the stylesheet's `lab-dot` animation lasts as long. */
export const DOT_MS = 900;

/** The dots on the board now. Movements that were there before the page opened send none. */
export function useDots(): readonly Dot[] {
  const movements = useMovements();
  const seen = useRef<Set<string> | null>(null);
  const [dots, setDots] = useState<readonly Dot[]>([]);
  useEffect(() => {
    const known = seen.current;
    seen.current = new Set(movements.map((movement) => movement.id));
    if (!known) return;
    const fresh = dotsFor(movements, known, DOTS_MAX);
    if (fresh.length === 0) return;
    setDots((before) => [...before, ...fresh].slice(-DOTS_MAX));
    const last = Math.max(...fresh.map((dot) => dot.delayMs)) + DOT_MS;
    const keys = new Set(fresh.map((dot) => dot.key));
    // Not cleared on the next frame: each batch takes itself away when its journey is over.
    setTimeout(() => setDots((before) => before.filter((dot) => !keys.has(dot.key))), last + 50);
  }, [movements]);
  return dots;
}
