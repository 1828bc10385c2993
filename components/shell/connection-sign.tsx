'use client';
import { cn } from '@/components/ui/cn';
import { RefreshCw, Unplug, Wifi } from '@/components/ui/icons';
import { useNow } from '@/components/ui/text/clock-provider';
import { useLiveStatus } from '@/lib/browser/live/live-provider';
import { useOverviewPart } from '@/lib/browser/live/use-overview';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { coarseDuration } from '@/lib/format/duration';

const looks = {
  live: { word: 'Live', Icon: Wifi, text: 'text-good' },
  polling: { word: 'Polling', Icon: RefreshCw, text: 'text-warn' },
  offline: { word: 'Offline', Icon: Unplug, text: 'text-bad' },
} as const;
const ageOf = ({ at, fresh }: Overview) => ({ at, fresh });

/** In the header: the kind of connection and the age of the data. Screen readers hear a change of kind only. */
export function ConnectionSign() {
  const status = useLiveStatus();
  const overview = useOverviewPart(ageOf);
  const ageMs = Math.max(0, useNow() - (overview?.at ?? 0));
  // Old numbers are not live, even if the stream carries them. A stream still being opened is not live either.
  const kind = overview?.fresh === false ? 'offline' : status === 'connecting' ? 'polling' : status;
  const { word, Icon, text } = looks[kind];
  const age = !overview ? 'no data' : ageMs < 1_000 ? 'now' : `${coarseDuration(ageMs)} old`;
  return (
    <div
      data-slot="connection"
      data-kind={kind}
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
