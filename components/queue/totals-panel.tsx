import { KeyValue } from '@/components/ui/key-value';
import { Num } from '@/components/ui/number';
import { Panel } from '@/components/ui/panel';
import type { QueueSnapshot, Totals } from '@/lib/contract/queue';

const ROWS: readonly (readonly [keyof Totals, string])[] = [
  ['enqueued', 'Enqueued'],
  ['claimed', 'Claimed'],
  ['completed', 'Completed'],
  ['failed', 'Failed runs'],
  ['dead', 'Died'],
  ['redriven', 'Re-driven'],
  ['reclaimed', 'Reclaimed'],
  ['released', 'Released'],
  ['duplicates', 'Duplicates refused'],
  ['deleted', 'Deleted'],
];

export function TotalsPanel({ queue: { totals } }: { queue: QueueSnapshot }) {
  return (
    <Panel title="Since the queue was made">
      <KeyValue
        className="[&_dd]:text-right"
        items={ROWS.map(([key, label]) => ({ label, value: <Num value={totals[key]} format="full" /> }))}
      />
    </Panel>
  );
}
