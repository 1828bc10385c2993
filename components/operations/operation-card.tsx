'use client';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/controls/icon-button';
import { Download, X } from '@/components/ui/icons';
import { Num, Percent, Rate } from '@/components/ui/text/number';
import { addressOf } from '@/lib/browser/base-path';
import { links } from '@/lib/browser/links';
import { useServerNow } from '@/lib/browser/live/live-provider';
import { paths } from '@/lib/contract/api-paths';
import { movedPerSecond } from '@/lib/contract/operations/moved-rate';
import type { Operation } from '@/lib/contract/operations/operation';
import { diedAgainShare, scopeLabel, shortScopeLabel } from '@/lib/contract/operations/operation-text';
import { revealHidden } from '@/lib/format/display-text';
import { ActionButtons, UndoButton } from './action-buttons';
import { actorLabel, isDownloadable, pauseReason, phaseLabel, progressLabel } from './labels';
import { KindLabel, OperationBar, OperationStatusBadge, OutcomeBar } from './operation-status';

/** One operation in a few lines: progress, outcome and actions. */
export function OperationCard({ operation, onDismiss }: { operation: Operation; onDismiss?: () => void }) {
  const now = useServerNow();
  const phase = phaseLabel(operation);
  const perSecond = movedPerSecond(operation, now);
  const died = diedAgainShare(operation);
  const { id, kind, scope, reason, outcome, paused, trouble, error } = operation;
  const why = paused && pauseReason(paused);
  return (
    <article className="relative grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-md border border-line-strong bg-raised px-2.5 py-2">
      <div className="flex items-center gap-1.5">
        {/* Its area is that of the card; the buttons lie above it. */}
        <Link
          href={links.operation(id)}
          title={revealHidden(`${scopeLabel(scope, operation.kind)}: ${reason}`)}
          className="shrink-0 rounded-xs after:absolute after:inset-0 hover:underline"
        >
          <KindLabel kind={kind} />
        </Link>
        <span className="relative z-10 -mr-1 ml-auto flex shrink-0">
          {isDownloadable(operation) && (
            <IconButton asChild label="Download" size="sm">
              <a href={addressOf(paths.operationFile(id))} download>
                <Download aria-hidden />
              </a>
            </IconButton>
          )}
          <ActionButtons operation={operation} icons />
          {onDismiss && (
            <IconButton label="Dismiss" size="sm" onClick={onDismiss}>
              <X aria-hidden />
            </IconButton>
          )}
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-x-1.5 gap-y-1">
        <OperationStatusBadge operation={operation} />
        <p className="min-w-24 flex-1 truncate text-muted text-xs">
          {revealHidden(shortScopeLabel(scope, operation.kind))} · “{revealHidden(reason)}”
        </p>
      </div>
      <OperationBar operation={operation} />
      <p className="flex flex-wrap gap-x-2.5 text-muted text-xs">
        <span className="font-medium text-fg">{progressLabel(operation)}</span>
        {perSecond !== null && <Rate value={perSecond} />}
        {phase && <span className="text-accent">{phase}</span>}
        {outcome && (
          <span className={cn('ml-auto', died !== null && died > 0 && 'text-bad')}>
            {died === null ? (
              phase === null && 'none ended yet'
            ) : (
              <>
                <Percent value={died} /> died again (<Num value={outcome.diedAgain} /> of{' '}
                <Num value={outcome.diedAgain + outcome.completed} /> that ran)
              </>
            )}
          </span>
        )}
      </p>
      {outcome && operation.moved > 0 && <OutcomeBar outcome={outcome} className="h-1" />}
      {why && paused && (
        <p className="text-warn text-xs [overflow-wrap:anywhere]">
          {actorLabel(paused.by)}: {why}
        </p>
      )}
      <div className="relative z-10 w-fit empty:hidden">
        <UndoButton operation={operation} size="sm" />
      </div>
      {(trouble ?? error) && (
        <p className="text-bad text-xs [overflow-wrap:anywhere]">{revealHidden(trouble ?? error ?? '')}</p>
      )}
    </article>
  );
}
