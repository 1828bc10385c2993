'use client';
import Link from 'next/link';
import { AuditLink } from '@/components/shared/audit-link';
import { LoadError } from '@/components/shared/load-error';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Download, ListChecks } from '@/components/ui/icons';
import { pageActions } from '@/components/ui/page-actions';
import { Panel } from '@/components/ui/panel';
import { Skeleton } from '@/components/ui/skeleton';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useMe } from '@/lib/browser/access/use-me';
import { addressOf } from '@/lib/browser/base-path';
import { links } from '@/lib/browser/links';
import { useAuditHref } from '@/lib/browser/use-audit';
import { useOperation } from '@/lib/browser/use-operations';
import { paths } from '@/lib/contract/api-paths';
import type { Operation } from '@/lib/contract/operations/operation';
import { RERUNS } from '@/lib/contract/operations/operation-kinds';
import { operationResult } from '@/lib/contract/operations/operation-result';
import { revealHidden } from '@/lib/format/display-text';
import { fullNumber } from '@/lib/format/number';
import { ActionButtons, UndoButton } from './action-buttons';
import {
  actorLabel,
  EVENT_LABELS,
  FORMAT_LABELS,
  isDownloadable,
  operationQuery,
  pauseReason,
} from './labels';
import { OperationJobsPanel } from './operation-jobs-panel';
import { KindLabel, OperationProgress, OperationStatusBadge } from './operation-status';
import { OutcomePanel, SkipsPanel } from './outcome-panel';
import { RatePanel } from './rate-panel';
import { RequestPanel } from './request-panel';

/** One operation: progress, outcome, request, settings and actions. */
export function OperationPage({ id }: { id: string }) {
  const query = useOperation(id);
  const { data: operation, error } = query;
  if (operation) return <Body operation={operation} />;
  if (!error) return <Waiting />;
  if (error.code === 'OPERATION_NOT_FOUND') {
    return (
      <EmptyState
        icon={<ListChecks />}
        title="Operation not found"
        action={
          <Button asChild>
            <Link href={links.operations()}>Go to the operations</Link>
          </Button>
        }
      >
        Redrive keeps 500 operations that have ended, of each user a share, and those that can be undone.
      </EmptyState>
    );
  }
  return <LoadError title="The operation could not be loaded" query={query} />;
}

function Body({ operation }: { operation: Operation }) {
  const own = useMe().data?.name === operation.actor;
  const audit = useAuditHref({ kind: 'operation', id: operation.id }, undefined, own);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 pb-6 max-sm:px-2 lg:grid-cols-2">
      <Notices operation={operation} />
      <Panel
        className="lg:col-span-2"
        title={
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <KindLabel kind={operation.kind} />
            <OperationStatusBadge operation={operation} />
          </span>
        }
        aside={
          <span className="flex flex-wrap gap-1.5" {...pageActions}>
            <AuditLink href={audit} />
            {isDownloadable(operation) && <DownloadLink operation={operation} />}
            <ActionButtons operation={operation} />
            <UndoButton operation={operation} />
          </span>
        }
      >
        <OperationProgress operation={operation} />
      </Panel>
      <div className="flex min-w-0 flex-col gap-3">
        {operation.outcome && <OutcomePanel operation={operation} outcome={operation.outcome} />}
        {operation.kind !== 'export' && (
          <RatePanel key={JSON.stringify([operation.rate, operation.stop])} operation={operation} />
        )}
        {!operation.outcome && <SkipsPanel operation={operation} />}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <RequestPanel operation={operation} />
        {operation.outcome && <SkipsPanel operation={operation} />}
        <TimelinePanel operation={operation} />
      </div>
      {(operation.skipped > 0 || (RERUNS.has(operation.kind) && operation.moved > 0)) && (
        <OperationJobsPanel operation={operation} />
      )}
    </div>
  );
}

/** What needs attention, at the top. */
function Notices({ operation }: { operation: Operation }) {
  const { id, status, paused, trouble, error, undoes, undoneBy, undone, moved, outcome, actor } = operation;
  const { level, label } = operationResult(operation);
  const isBad = level === 'bad';
  const isOutcomeBad = isBad && (outcome?.diedAgain ?? 0) > 0;
  const why = paused && pauseReason(paused);
  const mine = useMe().data?.name === actor;
  const wide = 'lg:col-span-2';
  return (
    <>
      {error && (
        <Callout tone="bad" title="The operation failed" className={wide}>
          {revealHidden(error)}
        </Callout>
      )}
      {isOutcomeBad && (
        <Callout
          tone="bad"
          title={label}
          className={wide}
          action={
            <Button asChild size="sm">
              <Link href={links.dead(operationQuery(id))}>See why they died</Link>
            </Button>
          }
        >
          {paused ? (
            <>
              Paused by {actorLabel(paused.by)}
              {why && `. At that time: ${why}`} <RelativeTime at={paused.at} />. Correct the cause before you
              resume.
            </>
          ) : (
            'Correct the cause before the next re-drive.'
          )}
        </Callout>
      )}
      {paused && !isOutcomeBad && (
        <Callout tone={isBad ? 'bad' : 'warn'} title={`Paused by ${actorLabel(paused.by)}`} className={wide}>
          {why} <RelativeTime at={paused.at} />
        </Callout>
      )}
      {status === 'awaiting-approval' && (
        <Callout tone="warn" title="Approval required." className={wide}>
          {mine
            ? 'You started this operation, so another user must approve it.'
            : `Started by ${revealHidden(actor)}. Nothing has been done yet.`}
        </Callout>
      )}
      {trouble && (
        <Callout tone="warn" title="Some shards are unreachable" className={wide}>
          {revealHidden(trouble)}
        </Callout>
      )}
      {undone > 0 && (
        <Callout className={wide}>
          {fullNumber(undone)} of {fullNumber(moved)} jobs were undone by{' '}
          <Link href={links.operation(undoneBy.at(-1) ?? '')} className="text-accent hover:underline">
            a later operation
          </Link>
          .
        </Callout>
      )}
      {undoes && (
        <Callout className={wide}>
          This operation undoes{' '}
          <Link href={links.operation(undoes)} className="text-accent hover:underline">
            an earlier operation
          </Link>
          .
        </Callout>
      )}
    </>
  );
}

function DownloadLink({ operation }: { operation: Operation }) {
  return (
    <Button asChild variant="primary">
      {/* A download, not a page: the browser keeps the page and saves the file. */}
      <a href={addressOf(paths.operationFile(operation.id))} download>
        <Download aria-hidden />
        Download {FORMAT_LABELS[operation.format ?? 'ndjson']}
        {operation.maxRows !== null && ` (at most ${fullNumber(operation.maxRows)} rows)`}
      </a>
    </Button>
  );
}

function Waiting() {
  return (
    <div className="grid gap-3 px-4 pb-6 max-sm:px-2 lg:grid-cols-2" aria-busy>
      <Panel className="h-24 lg:col-span-2">
        <Skeleton className="w-1/3" />
      </Panel>
      <Panel className="h-56">
        <Skeleton className="w-2/3" />
      </Panel>
      <Panel className="h-56">
        <Skeleton className="w-1/2" />
      </Panel>
    </div>
  );
}

/** Events of the operation itself, the latest first. */
function TimelinePanel({ operation }: { operation: Operation }) {
  const events = [...operation.events].reverse();
  return (
    <Panel title="Timeline">
      {events.length === 0 ? (
        <p className="text-muted text-sm">No events yet.</p>
      ) : (
        <ol className="grid max-h-72 gap-1 overflow-y-auto text-sm">
          {events.map(({ at, type, by, sentence }) => (
            <li key={`${at} ${type}`} className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3">
              <RelativeTime at={at} className="text-faint text-xs leading-5" />
              <p className="[overflow-wrap:anywhere]">
                <span className="font-medium">{EVENT_LABELS[type]}</span>{' '}
                <span className="text-muted">by {actorLabel(by)}</span>
                {sentence && <span className="text-muted">: {revealHidden(sentence)}</span>}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
