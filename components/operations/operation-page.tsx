'use client';
import { ListChecks } from 'lucide-react';
import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { EmptyState } from '@/components/ui/empty-state';
import { ErrorState } from '@/components/ui/error-state';
import { KeyValue } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { Skeleton } from '@/components/ui/skeleton';
import { links } from '@/lib/client/links';
import { useOperation } from '@/lib/client/use-operations';
import type { Operation } from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { CancelButton } from './cancel-button';
import { OperationProgress } from './operation-progress';
import { KindWord, StatusBadge } from './operation-status';
import { MOVED_WORD, selectionWords } from './words';

/** One bulk action: how far it is, what it did and left alone, who started it and why. */
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
            <Link href={links.operations()}>Go to the operations</Link>
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
  return (
    <div className="grid gap-3 px-4 pb-6 max-sm:px-2 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      {operation.error && (
        <Callout tone="bad" title="It failed" className="lg:col-span-2">
          {operation.error}
        </Callout>
      )}
      <Panel
        className="lg:col-span-2"
        title={
          <span className="flex items-center gap-2.5">
            <KindWord kind={operation.kind} />
            <StatusBadge status={operation.status} />
          </span>
        }
        aside={<CancelButton operation={operation} />}
      >
        <OperationProgress operation={operation} />
      </Panel>
      <Asked operation={operation} />
      <Outcome operation={operation} />
    </div>
  );
}

function Asked({ operation }: { operation: Operation }) {
  return (
    <Panel title="What was asked">
      <KeyValue
        items={[
          {
            label: 'Which',
            value: operation.filter ? (
              <Link href={links.dead(operation.filter)} className="text-accent hover:underline">
                {selectionWords(operation)}
              </Link>
            ) : (
              selectionWords(operation)
            ),
          },
          { label: 'Reason', value: operation.reason },
          { label: 'By', value: operation.actor },
          { label: 'Started', value: <RelativeTime at={operation.createdAt} /> },
          {
            label: 'Cut-off',
            value: (
              <>
                what died until <RelativeTime at={operation.cutoff} />
              </>
            ),
          },
          { label: 'Id', value: operation.id, mono: true },
        ]}
      />
    </Panel>
  );
}

function Outcome({ operation }: { operation: Operation }) {
  const why = operation.kind === 'redrive' ? 'no longer dead, or past its deadline' : 'no longer dead';
  return (
    <Panel title="What came of it">
      <KeyValue
        items={[
          {
            label: 'Expected',
            value: `${operation.estimated ? 'at least ' : ''}${full(operation.expected)} when it was confirmed`,
          },
          { label: 'Looked at', value: full(operation.scanned) },
          { label: 'Moved', value: `${full(operation.moved)} ${MOVED_WORD[operation.kind]}` },
          { label: 'Skipped', value: `${full(operation.skipped)} (${why})` },
          {
            label: 'Ended',
            value: operation.endedAt === null ? 'still running' : <RelativeTime at={operation.endedAt} />,
          },
          ...(operation.kind === 'purge'
            ? [{ label: 'Undo', value: 'Open a job in the trash and restore it, within 1 h of the purge' }]
            : []),
        ]}
      />
    </Panel>
  );
}

function Waiting() {
  return (
    <div className="grid gap-3 px-4 pb-6 max-sm:px-2 lg:grid-cols-2" aria-busy>
      <Panel className="h-24 lg:col-span-2">
        <Skeleton className="w-1/3" />
      </Panel>
      <Panel className="h-44">
        <Skeleton className="w-2/3" />
      </Panel>
      <Panel className="h-44">
        <Skeleton className="w-1/2" />
      </Panel>
    </div>
  );
}
