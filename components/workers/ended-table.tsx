'use client';
import { Duration } from '@/components/ui/duration';
import { Num } from '@/components/ui/number';
import { RelativeTime } from '@/components/ui/relative-time';
import { ColumnHeads, Table, TBody, Td, Tr } from '@/components/ui/table';
import type { Worker } from '@/lib/contract/workers';
import { count } from '@/lib/format/plural';
import { endedAt } from './summary';
import { WorkerBadge } from './worker-status';

const COLUMNS = [
  { head: 'Status', width: 104 },
  { head: 'Worker', width: undefined },
  { head: 'Host and pid', width: 150 },
  { head: 'How it ended', width: 130 },
  { head: 'Its jobs', width: 190 },
  { head: 'Completed', width: 90, numeric: true },
  { head: 'Lived for', width: 84, numeric: true },
  { head: 'Ended', width: 96, numeric: true },
] as const;

/** Workers that ended: how, and what became of the jobs they held. */
export function EndedTable({ workers }: { workers: readonly Worker[] }) {
  return (
    <Table label="Ended workers" className="min-w-[64rem] table-fixed">
      <ColumnHeads columns={COLUMNS} />
      <TBody>
        {workers.map((worker) => (
          <Tr key={worker.workerId}>
            <Td>
              <WorkerBadge status={worker.status} />
            </Td>
            <Td truncate title={worker.workerId} className="font-mono text-xs">
              {worker.workerId}
            </Td>
            <Td truncate title={worker.host} className="text-muted">
              {worker.host}, {worker.pid}
            </Td>
            <Td truncate title={worker.end?.cause}>
              {worker.end?.cause ?? 'fell silent'}
            </Td>
            <Td truncate>
              <Fate worker={worker} />
            </Td>
            <Td numeric>{worker.partial ? '–' : <Num value={worker.completed} dim />}</Td>
            <Td numeric>
              <Duration ms={Math.max(0, endedAt(worker) - worker.startedAt)} />
            </Td>
            <Td numeric>
              <RelativeTime at={endedAt(worker)} className="text-muted" />
            </Td>
          </Tr>
        ))}
      </TBody>
    </Table>
  );
}

/** What became of its jobs. One that fell silent was not seen to die: its leases did the work. */
function Fate({ worker: { end, jobs, partial } }: { worker: Worker }) {
  if (partial) return '–';
  if (end && end.reclaimed > 0) return `${count(end.reclaimed, 'job')} reclaimed`;
  if (!end && jobs.length > 0) return `${count(jobs.length, 'lease')} ran out`;
  return <span className="text-faint">held none</span>;
}
