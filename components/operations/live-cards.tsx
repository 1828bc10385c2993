'use client';
import { ChevronDown, ChevronUp, ListChecks } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { IconButton } from '@/components/ui/icon-button';
import { usePhone } from '@/components/ui/use-phone';
import { links } from '@/lib/client/links';
import { useServerClock, useServerNow } from '@/lib/client/live';
import { useLiveOperations } from '@/lib/client/use-operations';
import type { Operation } from '@/lib/contract/operations';
import { percentOf } from '@/lib/format/number';
import { cardsOf } from './dock-state';
import { OperationCard } from './operation-card';
import { wholeOf } from './words';

/**
 * Operations under way, on every page: bottom right on a screen that has the room, in the page's own flow on a phone, where
 * it would cover something. The page gets as much room at its end as the cards take.
 */
export function LiveCards() {
  const path = usePathname();
  const clock = useServerClock();
  const now = useServerNow(5_000);
  const [since] = useState(clock);
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const phone = usePhone();
  const [chosen, setFolded] = useState<boolean | null>(null);
  // On a phone they would push the page out of sight.
  const folded = chosen ?? phone !== false;
  const { shown, more } = cardsOf(
    // The list, and its own page, say it all; an export only waits to be fetched.
    useLiveOperations().filter(
      ({ id, kind }) => kind !== 'export' && path !== links.operations() && path !== links.operation(id),
    ),
    { dismissed, since, now },
  );
  const dock = useRef<HTMLElement>(null);
  const any = shown.length > 0;
  useRoomFor(dock, any);
  if (!any) return null;
  const count = shown.length + more;
  return (
    <section
      ref={dock}
      aria-label="Operations under way"
      className="z-20 grid gap-1.5 max-md:border-line max-md:border-b max-md:bg-canvas max-md:p-2 md:fixed md:right-3 md:bottom-3 md:w-80"
    >
      <div className="flex items-center justify-between gap-2 rounded-md border border-line-strong bg-raised px-2.5 py-0.5 text-xs">
        <Link
          href={links.operations() as Route}
          className="flex items-center gap-1.5 font-medium hover:underline"
        >
          <ListChecks aria-hidden className="size-3.5 text-faint" />
          {count} {count === 1 ? 'operation' : 'operations'}
        </Link>
        {folded && <span className="min-w-0 truncate text-muted">{shown.map(foldedWords).join(', ')}</span>}
        <IconButton
          label={folded ? 'Show the operations' : 'Fold the operations'}
          size="sm"
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          {folded ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
        </IconButton>
      </div>
      {!folded &&
        shown.map((operation) => (
          <OperationCard
            key={operation.id}
            operation={operation}
            onDismiss={() => setDismissed((before) => new Set(before).add(operation.id))}
          />
        ))}
      {!folded && more > 0 && (
        <p className="rounded-md border border-line bg-raised px-2.5 py-1 text-faint text-xs">
          and {more} more on the operations page
        </p>
      )}
    </section>
  );
}

/** "62%", "paused". */
function foldedWords(operation: Operation): string {
  if (operation.status !== 'running') return operation.status.replace('-', ' ');
  return percentOf(operation.moved + operation.skipped, wholeOf(operation));
}

/** Tells the page how much room to leave at its end, so that nothing ends up below the cards for good. */
function useRoomFor(dock: RefObject<HTMLElement | null>, any: boolean): void {
  useEffect(() => {
    const element = dock.current;
    const root = document.documentElement;
    if (!any || !element) return;
    const measure = () => {
      const fixed = getComputedStyle(element).position === 'fixed';
      root.style.setProperty('--dock', fixed ? `${element.offsetHeight + 24}px` : '0px');
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => {
      observer.disconnect();
      root.style.removeProperty('--dock');
    };
  }, [dock, any]);
}
