'use client';
import { ChevronDown, ChevronUp, Download, ListChecks, X } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/icon-button';
import { Num, Percent, Rate } from '@/components/ui/number';
import { usePhone } from '@/components/ui/use-phone';
import { links } from '@/lib/client/links';
import { useServerClock, useServerNow } from '@/lib/client/live';
import { useLiveOperations } from '@/lib/client/use-operations';
import { paths } from '@/lib/contract/api';
import { diedAgainShare, scopeShort, scopeWords } from '@/lib/contract/operation-words';
import type { Operation } from '@/lib/contract/operations';
import { percentOf } from '@/lib/format/number';
import { ActionButtons } from './action-buttons';
import { cardsOf } from './dock-state';
import { OperationBar } from './operation-progress';
import { KindWord, StatusBadge } from './operation-status';
import { OutcomeBar } from './outcome-bar';
import {
  actorWords,
  isDownloadable,
  pauseReason,
  phaseWords,
  progressWords,
  speedOf,
  wholeOf,
} from './words';

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
    // The list, and its own page, say it all.
    useLiveOperations().filter(({ id }) => path !== links.operations() && path !== links.operation(id)),
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
          <Card
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

function Card({ operation, onDismiss }: { operation: Operation; onDismiss: () => void }) {
  const now = useServerNow();
  const phase = phaseWords(operation);
  const died = diedAgainShare(operation);
  const { id, kind, status, scope, reason, outcome, paused, trouble, error } = operation;
  const why = paused && pauseReason(paused);
  return (
    <article className="grid gap-1.5 rounded-md border border-line-strong bg-raised px-2.5 py-2">
      <div className="flex items-center gap-1.5">
        <Link href={links.operation(id) as Route} className="min-w-0 rounded-xs hover:underline">
          <KindWord kind={kind} />
        </Link>
        <StatusBadge status={status} />
        <span className="-mr-1 ml-auto flex">
          {isDownloadable(operation) && (
            <IconButton asChild label="Download" size="sm">
              <a href={paths.operationFile(id)} download>
                <Download aria-hidden />
              </a>
            </IconButton>
          )}
          <ActionButtons operation={operation} icons />
          <IconButton label="Put away" size="sm" onClick={onDismiss}>
            <X aria-hidden />
          </IconButton>
        </span>
      </div>
      <p className="truncate text-muted text-xs" title={`${scopeWords(scope)}: ${reason}`}>
        {scopeShort(scope)} · “{reason}”
      </p>
      <OperationBar operation={operation} />
      <p className="flex flex-wrap gap-x-2.5 text-muted text-xs">
        <span className="font-medium text-fg">{progressWords(operation)}</span>
        {status === 'running' && phase === null && <Rate value={speedOf(operation, now)} />}
        {phase && <span className="text-accent">{phase}</span>}
        {outcome && (
          <span className={cn('ml-auto', died !== null && died > 0 && 'text-bad')}>
            {died === null ? (
              'none ended yet'
            ) : (
              <>
                <Percent value={died} /> died again (<Num value={outcome.diedAgain} />)
              </>
            )}
          </span>
        )}
      </p>
      {outcome && operation.moved > 0 && <OutcomeBar outcome={outcome} className="h-1" />}
      {why && paused && (
        <p className="text-warn text-xs">
          {actorWords(paused.by)}: {why}
        </p>
      )}
      {(trouble ?? error) && <p className="text-bad text-xs">{trouble ?? error}</p>}
    </article>
  );
}

/** Tells the page how much room to leave at its end, so that nothing ends up below the cards for good. */
function useRoomFor(dock: React.RefObject<HTMLElement | null>, any: boolean): void {
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
