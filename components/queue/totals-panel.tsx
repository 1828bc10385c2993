import { Num } from '@/components/ui/number';
import { Panel } from '@/components/ui/panel';
import type { QueueSnapshot, Totals } from '@/lib/contract/queue';

const CELLS: readonly (readonly [keyof Totals, string])[] = [
  ['enqueued', 'Enqueued'],
  ['claimed', 'Claimed'],
  ['completed', 'Completed'],
  ['failed', 'Failed runs'],
  ['retried', 'Retried'],
  ['dead', 'Died'],
  ['redriven', 'Re-driven'],
  ['reclaimed', 'Reclaimed'],
  ['released', 'Released'],
  ['duplicates', 'Duplicates refused'],
  ['deleted', 'Deleted'],
];

export function TotalsPanel({ queue: { totals, shards } }: { queue: QueueSnapshot }) {
  return (
    <Panel title="Since the queue was made">
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-x-4 gap-y-2">
        {CELLS.map(([key, label]) => (
          <div key={key}>
            <dt className="text-faint text-xs">{label}</dt>
            <dd>
              <Num value={totals[key]} format="full" atLeast={shards.unavailable.length > 0} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
