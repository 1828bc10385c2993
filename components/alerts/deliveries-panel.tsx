'use client';
import { LoadError } from '@/components/shared/load-error';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/controls/button';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Pagination } from '@/components/ui/tables/pagination';
import { Num } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useDeliveries } from '@/lib/browser/alerts/use-alert-actions';
import type { Delivery } from '@/lib/contract/alerts/alert-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { plural } from '@/lib/format/plural';
import { DELIVERY_LABELS, EVENT_LABELS } from './labels';
import { useAlertsView } from './use-alerts-view';

/** Messages to channels, the latest first: of all alerts, or of the one that the URL names. */
export function DeliveriesPanel() {
  const { alert, cursor, setCursor, showAllDeliveries } = useAlertsView();
  const query = useDeliveries(alert, cursor);
  const { data: page, error, isPlaceholderData } = query;
  if (error && !page) return <LoadError title="The deliveries could not be loaded" query={query} />;
  const shown = page?.deliveries.length ?? 0;
  return (
    <Panel
      flush
      title="Deliveries"
      aside={
        alert !== null && (
          <>
            of one alert
            <Button size="sm" onClick={showAllDeliveries}>
              Show all
            </Button>
          </>
        )
      }
    >
      <DataTable
        label="Deliveries"
        name="alert-deliveries"
        columns={COLUMNS}
        rows={page?.deliveries ?? null}
        rowKey={({ id }) => id}
        skeletonRows={3}
        empty={cursor === null ? 'No message is on record.' : 'No more deliveries.'}
      />
      <Pagination
        shown={page ? shown : null}
        noun={plural(shown, 'delivery', 'deliveries')}
        isFirst={cursor === null}
        hasNext={page !== undefined && page.nextCursor !== null}
        pending={isPlaceholderData}
        onFirst={() => setCursor(null)}
        onNext={() => setCursor(page?.nextCursor ?? null)}
      />
    </Panel>
  );
}

function DeliveryResult({ delivery: { state, error, nextAt } }: { delivery: Delivery }) {
  const { label, tone } = DELIVERY_LABELS[state];
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {state === 'waiting' && nextAt !== null && (
        <span className="ml-1.5 text-muted">
          next attempt <RelativeTime at={nextAt} />
        </span>
      )}
      {error !== null && <span className="ml-1.5 text-muted">{revealHidden(error)}</span>}
    </>
  );
}

const COLUMNS: readonly DataColumn<Delivery>[] = [
  { key: 'at', head: 'Time', width: 88, cell: ({ at }) => <RelativeTime at={at} /> },
  {
    key: 'message',
    head: 'Message',
    width: '36%',
    pinned: true,
    title: ({ code, event }) => `${EVENT_LABELS[event]} ${code}`,
    cell: ({ code, event, channel }) => (
      <>
        {EVENT_LABELS[event]}{' '}
        <span translate="no" className="font-mono text-xs">
          {code}
        </span>
        {channel !== null && (
          <span className="block truncate text-faint text-xs @min-xl:hidden">{channel}</span>
        )}
      </>
    ),
  },
  {
    key: 'channel',
    head: 'Channel',
    width: '18%',
    narrow: '@max-xl:hidden',
    title: ({ channel }) => channel ?? undefined,
    cell: ({ channel }) => channel,
  },
  {
    key: 'result',
    head: 'Result',
    title: ({ error }) => (error === null ? undefined : revealHidden(error)),
    cell: (delivery) => <DeliveryResult delivery={delivery} />,
  },
  {
    key: 'attempts',
    head: 'Attempts',
    width: 80,
    numeric: true,
    narrow: '@max-3xl:hidden',
    cell: ({ attempts }) => <Num value={attempts} dim />,
  },
];
