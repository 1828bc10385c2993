'use client';
import { cn } from '@/components/ui/cn';
import { CircleStop, Hourglass, type Icon, LoaderCircle, Play, ZapOff } from '@/components/ui/icons';
import { CountdownRing } from '@/components/ui/ring';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { useServerNow } from '@/lib/browser/live/live-provider';
import type { LabProcess, LabSettings } from '@/lib/contract/lab/lab-schemas';
import { count } from '@/lib/format/plural';
import styles from '../lab.module.css';
import { ProcessJobs } from './process-jobs';
import { crashLabel, openLeases, type ProcessView } from './process-view';

const LOOK: Readonly<Record<LabProcess['status'], { word: string; Icon: Icon; text: string }>> = {
  starting: { word: 'Starting', Icon: LoaderCircle, text: 'text-accent' },
  running: { word: 'Running', Icon: Play, text: 'text-good' },
  crashed: { word: 'Crashed', Icon: ZapOff, text: 'text-bad' },
  backoff: { word: 'Restarts', Icon: Hourglass, text: 'text-bad' },
  stopping: { word: 'Stopping', Icon: CircleStop, text: 'text-muted' },
};

/** One worker process and its replacements: jobs, last crash, restart. */
export function ProcessCard({
  view,
  settings,
  roomy,
}: {
  view: ProcessView;
  settings: LabSettings;
  roomy: boolean;
}) {
  const { process, worker, crashedRecently: hurt } = view;
  const { word, Icon, text } = LOOK[process.status];
  return (
    <li
      // Restarts the animation on a new crash.
      key={process.lastCrash?.at}
      data-hurt={hurt || undefined}
      aria-label={`Worker ${process.slot}`}
      className={cn(
        'flex min-w-0 flex-col rounded-md border transition-colors duration-700',
        hurt ? cn('border-bad bg-soft-bad', styles.hurt) : 'border-line bg-panel',
        process.status === 'stopping' && 'opacity-60',
      )}
    >
      <header className="flex h-7 items-center gap-1.5 px-2 text-xs">
        <span className="font-medium text-faint">{process.slot}</span>
        <span className={cn('inline-flex min-w-0 items-center gap-1 font-medium', text)}>
          <Icon
            aria-hidden
            className={cn('size-3 shrink-0', process.status === 'starting' && 'motion-safe:animate-spin')}
          />
          <span className="truncate">
            {process.status === 'backoff' ? <RestartIn at={process.restartAt} /> : word}
          </span>
        </span>
        <span className="ml-auto flex items-center gap-1.5 whitespace-nowrap text-faint">
          {process.pid !== null && <span>pid {process.pid}</span>}
        </span>
      </header>
      <div className="flex-1 px-2">
        <ProcessJobs worker={worker} settings={settings} roomy={roomy} />
      </div>
      {settings.slowReclaim && <DeadLeases view={view} settings={settings} />}
      <footer className="mt-1 flex h-6 items-center gap-1.5 px-2 text-2xs">
        <Fate view={view} roomy={roomy} />
      </footer>
    </li>
  );
}

/** "Restarts in 4 s". */
function RestartIn({ at }: { at: number | null }) {
  const leftMs = (at ?? 0) - useServerNow();
  return leftMs > 0 ? `Restarts in ${Math.ceil(leftMs / 1_000)} s` : 'Restarts now';
}

/** With slow reclaim: the leases that the last crash left, until they expire and the jobs return. */
function DeadLeases({ view: { crash }, settings }: { view: ProcessView; settings: LabSettings }) {
  const now = useServerNow();
  const leases = openLeases(crash, now);
  return (
    <p className="flex h-6 items-center gap-1 overflow-hidden px-2 text-2xs">
      {leases.length > 0 && crash && (
        <>
          <span className="text-bad">pid {crash.pid} held</span>
          {leases.map(({ jobId, leaseUntil }) => (
            <CountdownRing
              key={jobId}
              until={leaseUntil}
              totalMs={settings.leaseMs}
              what={`Lease of ${jobId}`}
              size={20}
            />
          ))}
        </>
      )}
    </p>
  );
}

/** The footer, of fixed height: the last crash or the number of crashes. */
function Fate({ view, roomy }: { view: ProcessView; roomy: boolean }) {
  const { process, crashedRecently: hurt } = view;
  if (hurt) {
    return (
      <span role="status" className="truncate font-medium text-bad" title={crashLabel(view)}>
        {crashLabel(view)}
      </span>
    );
  }
  if (!process.lastCrash) return <span className="text-faint">no crash yet</span>;
  return (
    <span className="truncate text-faint" title={crashLabel(view)}>
      {count(process.crashes, 'crash', 'crashes')}
      {roomy && (
        <>
          , last <RelativeTime at={process.lastCrash.at} />
        </>
      )}
    </span>
  );
}
