'use client';
import { HistoryPanel } from '@/components/shared/history/history-panel';
import { QUEUE_CHARTS, SHARE_CHARTS } from '@/components/shared/history/history-series';
import { useHistoryView } from '@/components/shared/history/use-history-view';
import { Select } from '@/components/ui/controls/select';
import { useHistory } from '@/lib/browser/use-history';
import type { QueueNumbers } from '@/lib/contract/queues/queue-schemas';
import { CHARTS_ID, parseShare, shareKey, useChartedShare } from './use-charted-share';

/** The past of a queue, or of one of its types or tenants. */
export function QueueHistory({ name, objectives }: { name: string; objectives: QueueNumbers['objectives'] }) {
  const { share, choose } = useChartedShare();
  const view = useHistoryView();
  const { data } = useHistory({ from: view.from, to: view.to, queue: name }, true);
  const named = (data?.busiest ?? []).filter((busy) => busy.name !== '*');
  const keys = new Set([...named, ...(share ? [share] : [])].map(shareKey));
  return (
    <HistoryPanel
      id={CHARTS_ID}
      title="History"
      isReady
      queue={name}
      objectives={objectives}
      {...(share ? { only: { [share.kind]: share.name } } : {})}
      charts={share ? SHARE_CHARTS : QUEUE_CHARTS}
      aside={
        <Select
          aria-label="Jobs of the charts"
          className="w-44"
          value={share ? shareKey(share) : ''}
          onChange={(event) => choose(parseShare(event.target.value))}
          options={[
            { value: '', label: 'All jobs' },
            ...[...keys].sort().map((value) => ({ value, label: labelOf(value) })),
          ]}
        />
      }
    />
  );
}

function labelOf(value: string): string {
  const share = parseShare(value);
  return share ? `${share.kind === 'tenant' ? 'Tenant' : 'Type'}: ${share.name}` : value;
}
