'use client';
import { Download, ListChecks } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { AuditLink } from '@/components/ui/audit-link';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { links } from '@/lib/client/links';
import { useAuditHref } from '@/lib/client/use-audit';
import { useMe } from '@/lib/client/use-me';
import { useOperation } from '@/lib/client/use-operations';
import { paths } from '@/lib/contract/api';
import { type Operation, RERUNS } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { visible } from '@/lib/format/text';
import { ActionButtons } from './action-buttons';
import { AskedPanel } from './asked-panel';
import { JobsPanel } from './jobs-panel';
import { OperationProgress } from './operation-progress';
import { KindWord, StatusBadge } from './operation-status';
import { OutcomePanel } from './outcome-panel';
import { PacePanel } from './pace-panel';
import { SkipsPanel } from './skips-panel';
import { TimelinePanel } from './timeline-panel';
import { UndoButton } from './undo-button';
import { actorWords, isDownloadable, pauseReason } from './words';

/** One bulk action: how far it is, what became of what it moved, who started it and why, and what can be done about it. */
export function OperationPage({ id }: { id: string }) {
  const { data: operation, error, refetch, isFetching } = useOperation(id);
  if (operation) return <Body operation={operation} />;
  if (!error) return <Waiting />;
  if (error.code === 'OPERATION_NOT_FOUND') {
    return (
      <EmptyState
        icon={<ListChecks />}
        title="There is no such operation"
        action={
          <Button asChild>
            <Link href={links.operations() as Route}>Go to the operations</Link>
          </Button>
        }
      >
        Only the latest 500 are kept.
      </EmptyState>
    );
  }
  return (
    <ErrorState
      title="The operation could not be loaded"
      message={error.detail}
      reference={error.requestId ?? undefined}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  );
}

function Body({ operation }: { operation: Operation }) {
  const own = useMe().data?.name === operation.actor;
  const audit = useAuditHref({ kind: 'operation', id: operation.id }, undefined, own);
  return (
    <div className="grid gap-3 px-4 pb-6 max-sm:px-2 lg:grid-cols-2">
      <Notices operation={operation} />
      <Panel
        className="lg:col-span-2"
        title={
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <KindWord kind={operation.kind} />
            <StatusBadge status={operation.status} />
          </span>
        }
        aside={
          <span className="flex flex-wrap gap-1.5">
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
          <PacePanel key={JSON.stringify([operation.pace, operation.stop])} operation={operation} />
        )}
        {!operation.outcome && <SkipsPanel operation={operation} />}
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <AskedPanel operation={operation} />
        {operation.outcome && <SkipsPanel operation={operation} />}
        <TimelinePanel operation={operation} />
      </div>
      {(operation.skipped > 0 || (RERUNS.has(operation.kind) && operation.moved > 0)) && (
        <JobsPanel operation={operation} />
      )}
    </div>
  );
}

/** Whatever wants a person, at the top. */
function Notices({ operation }: { operation: Operation }) {
  const { status, paused, trouble, error, undoes, actor } = operation;
  const mine = useMe().data?.name === actor;
  const wide = 'lg:col-span-2';
  return (
    <>
      {error && (
        <Callout tone="bad" title="It failed" className={wide}>
          {error}
        </Callout>
      )}
      {paused && (
        <Callout tone="warn" title={`Paused by ${actorWords(paused.by)}`} className={wide}>
          {pauseReason(paused)} <RelativeTime at={paused.at} />
        </Callout>
      )}
      {status === 'awaiting-approval' && (
        <Callout tone="warn" title="It awaits approval by a second person." className={wide}>
          {mine
            ? 'You asked for it, so somebody else has to look at it. Who you are stands at the top right.'
            : `${visible(actor)} asked for it. Nothing has been done yet.`}
        </Callout>
      )}
      {trouble && (
        <Callout tone="warn" title="It does not get at everything" className={wide}>
          {trouble}
        </Callout>
      )}
      {undoes && (
        <Callout className={wide}>
          This undoes{' '}
          <Link href={links.operation(undoes) as Route} className="text-accent hover:underline">
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
      <a href={paths.operationFile(operation.id)} download>
        <Download aria-hidden />
        Download {operation.format?.toUpperCase()}
        {operation.maxRows !== null && ` (at most ${full(operation.maxRows)} rows)`}
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
