'use client';
import Link from 'next/link';
import type { RefObject } from 'react';
import { cn } from '@/components/ui/cn';
import { SkeletonRows } from '@/components/ui/skeleton';
import { FullRow, Table, TBody, Td, THead, Th, Tr } from '@/components/ui/table';
import { SelectAllTh, SelectTd } from '@/components/ui/table-select';
import { links } from '@/lib/client/links';
import { useMayAct } from '@/lib/client/permissions';
import type { JobSummary } from '@/lib/contract/job';
import { truncateMiddle } from '@/lib/format/text';
import { COLUMNS, type DeadColumn } from './dead-columns';
import { Nothing } from './nothing';
import { pageState, rowKey, type Selection } from './selection';

const BOX_WIDTH = 36;
const ID_WIDTH = 118;
const ID_CHARS = 13;

/** The dead jobs of a page. `jobs` is null until they are known. */
export function DeadTable({
  jobs,
  selection,
  region,
  filtered,
  unfinished,
  roomy,
  onToggle,
  onPage,
  onClearQuery,
}: {
  jobs: readonly JobSummary[] | null;
  selection: Selection;
  region: RefObject<HTMLDivElement | null>;
  filtered: boolean;
  /** Not everything was looked at. */
  unfinished: boolean;
  /** Nothing stands beside it. */
  roomy: boolean;
  onToggle: (job: JobSummary, select: boolean, range: boolean) => void;
  onPage: (select: boolean) => void;
  onClearQuery: () => void;
}) {
  const columns = COLUMNS.map((column) => ({ ...column, hide: hiding(column, roomy) }));
  const acts = useMayAct();
  const span = columns.length + (acts ? 2 : 1);
  const ticked = (job: JobSummary) => selection.everything || selection.rows.has(rowKey(job));
  return (
    <div ref={region}>
      <Table label="Dead letters" className="table-fixed sm:min-w-[60rem]">
        <colgroup>
          {acts && <col style={{ width: BOX_WIDTH }} />}
          <col style={{ width: ID_WIDTH }} />
          {columns.map(({ key, width, hide }) => (
            <col key={key} style={{ width }} className={hide} />
          ))}
        </colgroup>
        <THead>
          <tr>
            {acts && <SelectAllTh state={pageState(selection, jobs ?? [])} onChange={onPage} />}
            <Th>Job</Th>
            {columns.map(({ key, head, headTitle, numeric, hide }) => (
              <Th key={key} numeric={numeric} className={hide} title={headTitle}>
                {head}
              </Th>
            ))}
          </tr>
        </THead>
        <TBody>
          {jobs === null && <SkeletonRows columns={span} rows={20} />}
          {jobs?.length === 0 && (
            <FullRow span={span}>
              <Nothing filtered={filtered} unfinished={unfinished} onClear={onClearQuery} />
            </FullRow>
          )}
          {jobs?.map((job) => (
            <Tr
              key={rowKey(job)}
              selected={ticked(job)}
              className="focus-within:[&>td:first-child]:shadow-[inset_2px_0_var(--accent)]"
            >
              {acts && (
                <SelectTd
                  label={`Select job ${job.jobId}`}
                  checked={ticked(job)}
                  onToggle={(select, range) => onToggle(job, select, range)}
                />
              )}
              <Td truncate title={job.jobId}>
                <Link
                  data-row-link
                  href={links.job(job.queue, job.jobId)}
                  prefetch={false}
                  className="font-mono text-xs hover:underline"
                >
                  {truncateMiddle(job.jobId, ID_CHARS)}
                </Link>
              </Td>
              {columns.map(({ key, numeric, hide, title, cell }) => (
                <Td key={key} numeric={numeric} truncate title={title?.(job)} className={cn(hide)}>
                  {cell(job)}
                </Td>
              ))}
            </Tr>
          ))}
        </TBody>
      </Table>
    </div>
  );
}

const hiding = ({ hide, wide }: DeadColumn, roomy: boolean): string | undefined =>
  wide ? (roomy ? 'max-xl:hidden' : 'max-2xl:hidden') : hide;
