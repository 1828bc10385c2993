import { RefreshCw, Unplug, Wifi } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import { coarse } from '@/lib/format/duration';

export type ConnectionKind = 'live' | 'polling' | 'offline';
export type Connection = { kind: ConnectionKind; ageMs: number | null };

const looks = {
  live: { word: 'Live', Icon: Wifi, text: 'text-good' },
  polling: { word: 'Polling', Icon: RefreshCw, text: 'text-warn' },
  offline: { word: 'Offline', Icon: Unplug, text: 'text-bad' },
} as const;

/** How the data gets here and how old it is. Its width is fixed; only a change of kind is announced, not each tick. */
export function ConnectionStatus({ status }: { status: Connection }) {
  const { word, Icon, text } = looks[status.kind];
  const age =
    status.ageMs === null ? 'no data' : status.ageMs < 1_000 ? 'now' : `${coarse(status.ageMs)} old`;
  return (
    <div
      data-slot="connection"
      data-kind={status.kind}
      title={`${word}; data: ${age}`}
      className="flex items-center gap-1.5 whitespace-nowrap text-xs"
    >
      <Icon aria-hidden className={cn('size-3.5', text)} />
      <span role="status" className={cn('font-medium', text)}>
        {word}
      </span>
      <span className="min-w-14 text-faint max-sm:sr-only">{age}</span>
    </div>
  );
}
