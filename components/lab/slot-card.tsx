'use client';
import { CircleStop, Hourglass, LoaderCircle, type LucideIcon, Play, ZapOff } from 'lucide-react';
import { cn } from '@/components/ui/cn';
import { RelativeTime } from '@/components/ui/relative-time';
import { CountdownRing } from '@/components/ui/ring';
import { useServerNow } from '@/lib/client/live';
import type { LabSettings, LabSlot } from '@/lib/contract/lab';
import { count } from '@/lib/format/plural';
import styles from './lab.module.css';
import { SlotJobs } from './slot-jobs';
import { crashWords, type SlotView } from './slot-view';

const LOOK: Readonly<Record<LabSlot['status'], { word: string; Icon: LucideIcon; text: string }>> = {
  starting: { word: 'Starting', Icon: LoaderCircle, text: 'text-accent' },
  running: { word: 'Running', Icon: Play, text: 'text-good' },
  crashed: { word: 'Crashed', Icon: ZapOff, text: 'text-bad' },
  backoff: { word: 'Restarts', Icon: Hourglass, text: 'text-bad' },
  stopping: { word: 'Stopping', Icon: CircleStop, text: 'text-muted' },
};

/** One worker process and its replacements: what it runs, how it died last, when it comes back. */
export function SlotCard({
  view,
  settings,
  roomy,
}: {
  view: SlotView;
  settings: LabSettings;
  roomy: boolean;
}) {
  const { slot, worker, hurt } = view;
  const { word, Icon, text } = LOOK[slot.status];
  return (
    <li
      // A new crash is a new animation.
      key={slot.lastCrash?.at}
      data-hurt={hurt || undefined}
      aria-label={`Worker ${slot.slot}`}
      className={cn(
        'flex min-w-0 flex-col rounded-md border transition-colors duration-700',
        hurt ? cn('border-bad bg-soft-bad', styles.hurt) : 'border-line bg-panel',
        slot.status === 'stopping' && 'opacity-60',
      )}
    >
      <header className="flex h-7 items-center gap-1.5 px-2 text-xs">
        <span className="font-medium text-faint">{slot.slot}</span>
        <span className={cn('inline-flex min-w-0 items-center gap-1 font-medium', text)}>
          <Icon
            aria-hidden
            className={cn('size-3 shrink-0', slot.status === 'starting' && 'motion-safe:animate-spin')}
          />
          <span className="truncate">{word}</span>
        </span>
        <span className="ml-auto flex items-center gap-1.5 whitespace-nowrap text-faint">
          {slot.pid !== null && <span>pid {slot.pid}</span>}
        </span>
      </header>
      <div className="flex-1 px-2">
        <SlotJobs worker={worker} settings={settings} roomy={roomy} />
      </div>
      <footer className="mt-1 flex h-6 items-center gap-1.5 px-2 text-2xs">
        <Fate view={view} roomy={roomy} />
      </footer>
    </li>
  );
}

/** The last line: why it is red, or what it survived. One height, always there. */
function Fate({ view, roomy }: { view: SlotView; roomy: boolean }) {
  const { slot, hurt } = view;
  const now = useServerNow();
  const waits = slot.restartAt !== null && slot.restartAt > now;
  if (hurt) {
    return (
      <>
        {waits && (
          <CountdownRing
            until={slot.restartAt ?? 0}
            totalMs={Math.max(1_000, (slot.restartAt ?? 0) - (slot.lastCrash?.at ?? 0))}
            what="Restart"
            size={18}
          />
        )}
        <span role="status" className="truncate font-medium text-bad" title={crashWords(view)}>
          {crashWords(view)}
        </span>
      </>
    );
  }
  if (!slot.lastCrash) return <span className="text-faint">no crash yet</span>;
  return (
    <span className="truncate text-faint" title={crashWords(view)}>
      {count(slot.crashes, 'crash', 'crashes')}
      {roomy && (
        <>
          , last <RelativeTime at={slot.lastCrash.at} />
        </>
      )}
    </span>
  );
}
