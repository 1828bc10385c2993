'use client';
import { Button } from '@/components/ui/controls/button';
import { pageActionsOf } from '@/components/ui/page-actions';
import { Panel } from '@/components/ui/panel';
import { type DataColumn, DataTable } from '@/components/ui/tables/data-table';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useOffer } from '@/lib/browser/access/use-permissions';
import type { Silence } from '@/lib/contract/alerts/alert-schemas';
import { revealHidden } from '@/lib/format/display-text';
import { silenceLabel } from './labels';
import { useAlertsView } from './use-alerts-view';

/** What is not sent to the channels, why and until when. Null: not known yet. */
export function SilencesPanel({
  silences,
  fresh,
}: {
  silences: readonly Silence[] | null;
  /** False while Redis, which has them, cannot be read. */
  fresh: boolean;
}) {
  return (
    <Panel flush title="Silences">
      <DataTable
        label="Silences"
        name="silences"
        columns={COLUMNS}
        rows={silences}
        rowKey={({ id }) => id}
        skeletonRows={1}
        empty={fresh ? 'No silences.' : 'Not known while Redis cannot be read.'}
      />
    </Panel>
  );
}

function RemoveButton({ silence }: { silence: Silence }) {
  const { open } = useAlertsView();
  const { shown, missing } = useOffer('operate', silence.queue ?? '*');
  if (!shown) return null;
  return (
    <span {...pageActionsOf(silence.reason)}>
      <Button
        size="sm"
        blocked={missing}
        aria-label={`Remove silence of ${silenceLabel(silence)}`}
        onClick={() => open('unsilence', silence.id)}
      >
        Remove
      </Button>
    </span>
  );
}

const COLUMNS: readonly DataColumn<Silence>[] = [
  {
    key: 'what',
    head: 'Silenced',
    pinned: true,
    title: (silence) => revealHidden(`${silenceLabel(silence)}: ${silence.reason}`),
    cell: (silence) => (
      <>
        <span className="font-medium">{silenceLabel(silence)}</span>
        <span className="block truncate text-faint text-xs @min-2xl:hidden">
          {revealHidden(silence.reason)}
        </span>
      </>
    ),
  },
  {
    key: 'reason',
    head: 'Reason',
    width: '36%',
    narrow: '@max-2xl:hidden',
    title: ({ reason }) => revealHidden(reason),
    cell: ({ reason }) => revealHidden(reason),
  },
  {
    key: 'actor',
    head: 'By',
    width: 140,
    narrow: '@max-3xl:hidden',
    title: ({ actor }) => revealHidden(actor),
    cell: ({ actor }) => revealHidden(actor),
  },
  {
    key: 'since',
    head: 'Since',
    width: 88,
    narrow: '@max-4xl:hidden',
    cell: ({ at }) => <RelativeTime at={at} className="text-muted" />,
  },
  { key: 'ends', head: 'Ends', width: 88, cell: ({ until }) => <RelativeTime at={until} /> },
  {
    key: 'actions',
    head: 'Actions',
    width: 92,
    truncate: false,
    cell: (silence) => <RemoveButton silence={silence} />,
  },
];
