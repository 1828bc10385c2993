'use client';
import { Download, X } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { cn } from '@/components/ui/cn';
import { IconButton } from '@/components/ui/icon-button';
import { Num, Percent, Rate } from '@/components/ui/number';
import { links } from '@/lib/client/links';
import { useServerNow } from '@/lib/client/live';
import { paths } from '@/lib/contract/api';
import { diedAgainShare, scopeShort, scopeWords } from '@/lib/contract/operation-words';
import type { Operation } from '@/lib/contract/operations';
import { visible } from '@/lib/format/text';
import { ActionButtons } from './action-buttons';
import { OperationBar } from './operation-progress';
import { KindWord, StatusBadge } from './operation-status';
import { OutcomeBar } from './outcome-bar';
import { actorWords, isDownloadable, pauseReason, phaseWords, progressWords, speedOf } from './words';

/** One operation in a few lines: how far, how well, and what can be done. */
export function OperationCard({ operation, onDismiss }: { operation: Operation; onDismiss?: () => void }) {
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
          {onDismiss && (
            <IconButton label="Put away" size="sm" onClick={onDismiss}>
              <X aria-hidden />
            </IconButton>
          )}
        </span>
      </div>
      <p
        className="truncate text-muted text-xs"
        title={visible(`${scopeWords(scope, operation.kind)}: ${reason}`)}
      >
        {visible(scopeShort(scope, operation.kind))} · “{visible(reason)}”
      </p>
      <OperationBar operation={operation} />
      <p className="flex flex-wrap gap-x-2.5 text-muted text-xs">
        <span className="font-medium text-fg">{progressWords(operation)}</span>
        {status === 'running' && phase === null && <Rate value={speedOf(operation, now)} />}
        {phase && <span className="text-accent">{phase}</span>}
        {outcome && (
          <span className={cn('ml-auto', died !== null && died > 0 && 'text-bad')}>
            {died === null ? (
              phase === null && 'none ended yet'
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
