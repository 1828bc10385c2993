'use client';
import { type ReactNode, useRef } from 'react';
import { useAskOperation } from '@/lib/client/ask-operation';
import { useMayAct } from '@/lib/client/permissions';
import type { JobSummary } from '@/lib/contract/job';
import type { OperationKind } from '@/lib/contract/operations';
import { type Matching, scopeOf } from './bulk';
import { DeadTable } from './dead-table';
import { isEmpty, rowKey, type Selection, type SelectionEvent } from './selection';
import { SelectionBar } from './selection-bar';
import { useListKeys } from './use-list-keys';

/** The table of dead letters with what selects them and what is done with the selection; where they come from is not its matter. */
export function RowsList({
  q,
  jobs,
  matching,
  pending,
  selection,
  send,
  roomy,
  aside,
  head,
  footer,
  onClearQuery,
}: {
  q: string;
  /** Null until they are known. */
  jobs: readonly JobSummary[] | null;
  matching: Matching | null;
  /** They are of another query or page still. */
  pending: boolean;
  selection: Selection;
  send: (event: SelectionEvent) => void;
  roomy: boolean;
  aside: ReactNode;
  /** Over the table: how far a search has come. */
  head?: ReactNode;
  footer: ReactNode;
  onClearQuery: () => void;
}) {
  const ask = useAskOperation();
  const acts = useMayAct();
  const region = useRef<HTMLDivElement>(null);
  const page = pending ? [] : (jobs ?? []);
  const toggle = (job: JobSummary, select: boolean, range: boolean) =>
    send({ type: 'toggle', job, select, range, page });
  const clear = () => send({ type: 'clear' });
  const start = (kind: OperationKind) => {
    if (!isEmpty(selection)) ask({ kind, scope: scopeOf(selection, q), onStarted: clear });
  };
  useListKeys(region, {
    toggle: (index, range) => {
      const job = page[index];
      if (job && acts) toggle(job, !selection.everything && !selection.rows.has(rowKey(job)), range);
    },
    clear,
    redrive: (index) => {
      const job = page[index];
      if (!isEmpty(selection)) start('redrive');
      else if (job)
        ask({
          kind: 'redrive',
          scope: { state: 'dead', jobs: [{ queue: job.queue, jobId: job.jobId }] },
        });
    },
  });
  return (
    <>
      <SelectionBar
        jobs={pending ? null : jobs}
        matching={matching}
        selection={selection}
        aside={aside}
        onEverything={() => send({ type: 'everything' })}
        onClear={clear}
        onAct={start}
      />
      {head}
      <div
        aria-busy={pending || undefined}
        className={pending ? 'pointer-events-none opacity-60' : undefined}
      >
        <DeadTable
          jobs={jobs}
          selection={selection}
          region={region}
          filtered={q !== ''}
          // "None matches" is said only where that is known.
          unfinished={matching === null || !matching.exact || matching.count > 0}
          roomy={roomy}
          onToggle={toggle}
          onPage={(select) => send({ type: 'page', select, page })}
          onClearQuery={onClearQuery}
        />
      </div>
      {footer}
    </>
  );
}
