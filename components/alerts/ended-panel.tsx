'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { LoadError } from '@/components/shared/load-error';
import { EmptyState } from '@/components/ui/empty-state';
import { CircleCheck } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { Pagination } from '@/components/ui/tables/pagination';
import { Duration } from '@/components/ui/text/number';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { toneText } from '@/components/ui/tone';
import { useEndedAlerts } from '@/lib/browser/alerts/use-alert-actions';
import { links } from '@/lib/browser/links';
import type { Alert } from '@/lib/contract/alerts/alert-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { count, plural } from '@/lib/format/plural';
import { LEVEL_LABELS } from './labels';
import { AlertSentence } from './live-alert';
import { useAlertsView } from './use-alerts-view';

/** Alerts of the last 30 days that are over, the latest first. */
export function EndedPanel() {
  const { cursor, setCursor } = useAlertsView();
  const query = useEndedAlerts(cursor);
  const { data: page, error, isPlaceholderData } = query;
  if (error && !page) return <LoadError title="The ended alerts could not be loaded" query={query} />;
  const shown = page?.alerts.length ?? 0;
  if (page && shown === 0 && cursor === null)
    return (
      <Panel flush>
        <EmptyState icon={<CircleCheck />} title="No ended alert is on record">
          Alerts that are over are kept for 30 days.
        </EmptyState>
      </Panel>
    );
  return (
    <Panel flush>
      <DataTable
        label="Ended alerts"
        name="ended-alerts"
        columns={COLUMNS}
        rows={page?.alerts ?? null}
        rowKey={({ id }) => id}
        empty="No more alerts."
      />
      <Pagination
        shown={page ? shown : null}
        noun={plural(shown, 'alert')}
        isFirst={cursor === null}
        hasNext={page !== undefined && page.nextCursor !== null}
        pending={isPlaceholderData}
        onFirst={() => setCursor(null)}
        onNext={() => setCursor(page?.nextCursor ?? null)}
      />
    </Panel>
  );
}

const COLUMNS: readonly DataColumn<Alert>[] = [
  {
    key: 'alert',
    head: 'Alert',
    pinned: true,
    stacked: 'text',
    // A block that does not fit would be cut as a whole.
    cellClassName: '[&_a]:inline [&_a]:leading-5 @max-xl:whitespace-normal',
    title: ({ sentence }) => revealHidden(sentence),
    cell: (alert) => (
      <>
        <span className={toneText[alert.level]}>{LEVEL_LABELS[alert.level]}:</span>{' '}
        <AlertSentence alert={alert} />
      </>
    ),
  },
  {
    key: 'code',
    head: 'Code',
    width: 140,
    narrow: '@min-xl:@max-3xl:hidden',
    stacked: 'lead',
    cellClassName: 'font-mono text-xs',
    cell: ({ code }) => code,
  },
  {
    key: 'queues',
    head: 'Queues',
    width: 150,
    narrow: '@max-4xl:hidden',
    title: ({ queues }) => queues.named.join(', ') || undefined,
    cell: ({ queues: { total, named } }) =>
      total === 0 ? <span className="text-faint">–</span> : total === 1 ? named[0] : count(total, 'queue'),
  },
  {
    key: 'ended',
    head: 'Ended',
    width: 88,
    stacked: 'end',
    cell: ({ endedAt }) => <RelativeTime at={endedAt} />,
  },
  {
    key: 'lasted',
    head: 'Lasted',
    width: 92,
    narrow: '@max-xl:hidden',
    cell: ({ seenAt, endedAt }) => <Duration ms={endedAt === null ? null : endedAt - seenAt} />,
  },
  {
    key: 'acknowledged',
    head: 'Acknowledged by',
    width: 130,
    narrow: '@max-5xl:hidden',
    title: ({ acknowledged }) =>
      acknowledged?.note ? revealHidden(`${acknowledged.actor}: ${acknowledged.note}`) : undefined,
    cell: ({ acknowledged }) =>
      acknowledged ? revealHidden(acknowledged.actor) : <span className="text-faint">–</span>,
  },
  {
    key: 'deliveries',
    head: 'Messages',
    width: 92,
    narrow: '@max-2xl:hidden',
    cell: ({ id }) => (
      <Link
        href={links.alerts({ tab: 'channels', alert: id }) as Route}
        prefetch={false}
        className="rounded-xs hover:underline"
      >
        Deliveries
      </Link>
    ),
  },
];
