'use client';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/controls/button';
import { IconButton } from '@/components/ui/controls/icon-button';
import { EmptyState } from '@/components/ui/empty-state';
import { BellOff, Pencil, Trash2 } from '@/components/ui/icons';
import { pageActionsOf } from '@/components/ui/page-actions';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { CodeBlock } from '@/components/ui/text/code-block';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useMay, useOffer } from '@/lib/browser/access/use-permissions';
import type { Channel } from '@/lib/contract/alerts/alert-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { DELIVERY_LABELS, KIND_LABELS, SOURCE_LABELS, toldLabel } from './labels';
import { useAlertsView } from './use-alerts-view';

const EXAMPLE = `REDRIVE_ALERTS='{
  "channels": [
    { "name": "on-call", "kind": "slack", "url": "https://hooks.slack.com/services/…", "levels": ["bad"] },
    { "name": "team", "kind": "webhook", "url": "https://example.com/alerts", "secret": "…" }
  ]
}'`;

/** Who is told of alerts, with the latest delivery of each. Null: not known yet. */
export function ChannelsPanel({ channels }: { channels: readonly Channel[] | null }) {
  // Only a grant for all queues covers the pattern `*`.
  if (!useMay('view', '*'))
    return (
      <Panel flush title="Channels">
        <EmptyState icon={<BellOff />} title="Channels are hidden">
          Their targets can be addresses of people. To see them you need the permission “view” for all queues
          and tenants.
        </EmptyState>
      </Panel>
    );
  return (
    <Panel flush title="Channels" aside={<NewChannelButton />}>
      {channels?.length === 0 ? (
        <div className="pb-4">
          <EmptyState icon={<BellOff />} title="There is no channel">
            Alerts show only on this page and, if you switch them on, as notifications of your browser. To
            send them, an administrator makes a channel here, or sets the variable REDRIVE_ALERTS (or
            REDRIVE_ALERTS_FILE) of the console. Kinds: webhook, slack, teams, pagerduty, email, heartbeat.
          </EmptyState>
          <div className="px-3">
            <CodeBlock label="Example of REDRIVE_ALERTS" text={EXAMPLE} className="text-left" />
          </div>
        </div>
      ) : (
        <DataTable
          label="Channels"
          name="alert-channels"
          columns={COLUMNS}
          rows={channels}
          rowKey={({ name }) => name}
          skeletonRows={2}
        />
      )}
    </Panel>
  );
}

function Latest({ channel: { latest, problem } }: { channel: Channel }) {
  if (problem !== null)
    return (
      <>
        <Badge tone="bad">Not used</Badge> <span className="text-muted">{problem}</span>
      </>
    );
  if (latest === null) return <span className="text-faint">none yet</span>;
  const { label, tone } = DELIVERY_LABELS[latest.state];
  return (
    <>
      <Badge tone={tone}>{label}</Badge> <RelativeTime at={latest.at} className="text-muted" />
      {latest.error !== null && <span className="ml-1.5 text-muted">{revealHidden(latest.error)}</span>}
    </>
  );
}

function NewChannelButton() {
  const { open } = useAlertsView();
  const { shown, missing } = useOffer('access', '*');
  if (!shown) return null;
  return (
    <Button size="sm" blocked={missing} onClick={() => open('new-channel')}>
      New channel
    </Button>
  );
}

/** What comes from the environment can only be tested. */
function ChannelActions({ channel: { name, source } }: { channel: Channel }) {
  const { open } = useAlertsView();
  const test = useOffer('operate', '*');
  const change = useOffer('access', '*');
  return (
    <span className="flex items-center gap-1">
      {test.shown && (
        <span {...pageActionsOf('sends a test message')}>
          <Button
            size="sm"
            blocked={test.missing}
            aria-label={`Test ${name}`}
            onClick={() => open('test', name)}
          >
            Test
          </Button>
        </span>
      )}
      {source === 'console' && change.shown && (
        <span className="flex items-center" {...pageActionsOf(`channel ${name}`)}>
          <IconButton
            label={`Change ${name}`}
            size="sm"
            blocked={change.missing}
            onClick={() => open('change-channel', name)}
          >
            <Pencil aria-hidden />
          </IconButton>
          <IconButton
            label={`Remove ${name}`}
            size="sm"
            blocked={change.missing}
            onClick={() => open('remove-channel', name)}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </span>
      )}
    </span>
  );
}

const COLUMNS: readonly DataColumn<Channel>[] = [
  {
    key: 'name',
    head: 'Channel',
    pinned: true,
    width: '18%',
    cellClassName: 'font-medium',
    title: ({ name }) => name,
    cell: ({ name }) => name,
  },
  { key: 'kind', head: 'Kind', width: 120, narrow: '@max-2xl:hidden', cell: ({ kind }) => KIND_LABELS[kind] },
  {
    key: 'source',
    head: 'From',
    headTitle: 'Made here, or set in REDRIVE_ALERTS, where the console cannot change it',
    width: 110,
    narrow: '@max-4xl:hidden',
    cell: ({ source }) => <span className="text-muted">{SOURCE_LABELS[source]}</span>,
  },
  {
    key: 'target',
    head: 'Target',
    narrow: '@max-3xl:hidden',
    title: ({ target }) => revealHidden(target),
    cell: ({ target }) => revealHidden(target),
  },
  {
    key: 'levels',
    head: 'Told of',
    width: 160,
    narrow: '@max-4xl:hidden',
    title: (channel) => toldLabel(channel),
    cell: (channel) => toldLabel(channel),
  },
  {
    key: 'latest',
    head: 'Latest delivery',
    width: '32%',
    title: ({ latest, problem }) => problem ?? (latest?.error ? revealHidden(latest.error) : undefined),
    cell: (channel) => <Latest channel={channel} />,
  },
  {
    key: 'actions',
    head: 'Actions',
    width: 116,
    truncate: false,
    cell: (channel) => <ChannelActions channel={channel} />,
  },
];
