'use client';
import { HistoryPanel } from '@/components/shared/history/history-panel';
import { QUEUE_CHARTS, SHARE_CHARTS } from '@/components/shared/history/history-series';
import { useHistoryView } from '@/components/shared/history/use-history-view';
import { urlText, useUrlState } from '@/components/shared/url-state';
import { Select } from '@/components/ui/controls/select';
import { useHistory } from '@/lib/browser/use-history';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';

const PARSERS = { of: urlText };

/** The past of a queue, or of one of its busiest types or tenants. */
export function QueueHistory({
  name,
  objectives,
}: {
  name: string;
  objectives: QueueSnapshot['objectives'];
}) {
  const [{ of }, setOf] = useUrlState(PARSERS);
  const view = useHistoryView();
  const { data } = useHistory({ from: view.from, to: view.to, queue: name }, true);
  const only = onlyOf(of);
  const named = (data?.busiest ?? []).filter((share) => share.name !== '*');
  const names = new Set(named.map((share) => `${share.kind}:${share.name}`));
  if (of !== null && only) names.add(of);
  return (
    <HistoryPanel
      title="History"
      isReady
      queue={name}
      objectives={objectives}
      {...(only ? { only } : {})}
      charts={only ? SHARE_CHARTS : QUEUE_CHARTS}
      aside={
        <Select
          aria-label="Jobs of the charts"
          className="w-44"
          value={only && of !== null ? of : ''}
          onChange={(event) => setOf({ of: event.target.value || null })}
          options={[
            { value: '', label: 'All jobs' },
            ...[...names].sort().map((value) => ({ value, label: labelOf(value) })),
          ]}
        />
      }
    />
  );
}

const labelOf = (value: string): string => {
  const [kind, name] = splitOf(value);
  return `${kind === 'tenant' ? 'Tenant' : 'Type'}: ${name}`;
};
const splitOf = (value: string): [string, string] => [
  value.slice(0, value.indexOf(':')),
  value.slice(value.indexOf(':') + 1),
];

function onlyOf(value: string | null): { type: string } | { tenant: string } | null {
  if (value === null) return null;
  const [kind, name] = splitOf(value);
  if (name === '') return null;
  return kind === 'type' ? { type: name } : kind === 'tenant' ? { tenant: name } : null;
}
