'use client';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Percent } from '@/components/ui/text/number';
import { useQueueMemory } from '@/lib/browser/queues/use-breakdown';
import type { QueueMemory } from '@/lib/contract/queues/breakdown-schemas';
import { bytes } from '@/lib/format/bytes';

/** Memory of the queue's keys, measured when it is opened. */
export function MemoryTable({ queue }: { queue: string }) {
  const { data, error } = useQueueMemory(queue);
  if (error && !data) return <p className="px-3 py-4 text-bad text-sm">{error.detail}</p>;
  const columns: DataColumn<QueueMemory['keys'][number]>[] = [
    {
      key: 'name',
      head: 'Key',
      width: 160,
      rowHeader: true,
      cellClassName: 'truncate pl-3 font-mono text-xs',
      cell: ({ name }) => name,
    },
    { key: 'bytes', head: 'Memory', width: 110, numeric: true, cell: (key) => bytes(key.bytes) },
    {
      key: 'share',
      head: 'Share',
      width: 90,
      numeric: true,
      cell: (key) => <Percent value={data ? key.bytes / Math.max(1, data.bytes) : null} />,
    },
    { key: 'rest', head: '', cell: () => null },
  ];
  return (
    <>
      {data && (
        <p className="px-3 pt-2 pb-1 text-sm">
          <span className="font-medium">{bytes(data.bytes)}</span>{' '}
          <span className="text-muted">in Redis, estimated from 20 rows of each key.</span>
        </p>
      )}
      <DataTable
        label="Memory by key"
        columns={columns}
        rows={data?.keys ?? null}
        rowKey={({ name }) => name}
        skeletonRows={5}
        empty="The queue has no keys."
      />
    </>
  );
}
