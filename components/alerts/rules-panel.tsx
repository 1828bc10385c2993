'use client';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Duration } from '@/components/ui/text/number';
import type { AlertRule } from '@/lib/contract/alerts/alert-schemas';
import { codeLabel } from './labels';

/** For how long each finding must stand to become an alert. Null: not known yet. */
export function RulesPanel({ rules }: { rules: readonly AlertRule[] | null }) {
  return (
    <Panel flush title="Rules" aside="“rules” of REDRIVE_ALERTS; objectives in the settings of each queue">
      <DataTable
        label="Rules"
        name="alert-rules"
        columns={COLUMNS}
        rows={rules}
        rowKey={({ code }) => code}
        skeletonRows={12}
      />
    </Panel>
  );
}

const COLUMNS: readonly DataColumn<AlertRule>[] = [
  {
    key: 'finding',
    head: 'Finding',
    pinned: true,
    truncate: false,
    cellClassName: 'max-sm:whitespace-normal max-sm:py-1',
    cell: ({ code }) => (
      <>
        {codeLabel(code)}{' '}
        <span translate="no" className="font-mono text-faint text-xs max-sm:block">
          {code}
        </span>
      </>
    ),
  },
  { key: 'bad', head: 'Problem after', width: 108, cell: ({ forMs }) => <After ms={forMs} /> },
  { key: 'warn', head: 'Warning after', width: 108, cell: ({ forWarnMs }) => <After ms={forWarnMs} /> },
];

function After({ ms }: { ms: number | null }) {
  if (ms === null) return <span className="text-faint">never</span>;
  return ms === 0 ? 'at once' : <Duration ms={ms} />;
}
