'use client';
import { DataAge } from '@/components/ui/relative-time';
import { STREAMED_MAX_JOBS } from '@/lib/client/search-state';
import { type SearchStream, useSearchStream } from '@/lib/client/use-search-stream';
import type { Matching } from './bulk';
import { RowsList } from './rows-list';
import type { RowsProps } from './rows-view';
import { Continue, ScanLine } from './scan-line';
import { useSelection } from './use-selection';

const BATCH = 100;

/**
 * Matches of a query for which payloads or messages have to be read: shown as they are found. They are not read again by
 * themselves, so nothing has to be held still while rows are selected.
 */
export function StreamedRows({ q, roomy, onClearQuery }: RowsProps) {
  const [selection, send] = useSelection(q);
  const stream = useSearchStream(q, { limit: BATCH });
  const { jobs, status, end } = stream;
  const none = jobs.length === 0;
  const full = jobs.length >= STREAMED_MAX_JOBS;
  return (
    <RowsList
      q={q}
      jobs={none && status !== 'done' ? (status === 'running' ? null : []) : jobs}
      matching={matchingOf(stream)}
      pending={false}
      selection={selection}
      send={send}
      roomy={roomy}
      onClearQuery={onClearQuery}
      aside={end && <DataAge at={end.at} staleAfterMs={Number.POSITIVE_INFINITY} />}
      head={<ScanLine stream={stream} full={full} />}
      footer={
        jobs.length >= BATCH && (
          <div className="flex min-h-9 items-center justify-end px-3">
            <Continue stream={stream} full={full} />
          </div>
        )
      }
    />
  );
}

/** What is known so far; nothing until the first word about it. */
function matchingOf({ end, progress, jobs }: SearchStream): Matching | null {
  if (end) return end.matching;
  if (!progress && jobs.length === 0) return null;
  return { count: Math.max(progress?.found ?? 0, jobs.length), exact: false };
}
