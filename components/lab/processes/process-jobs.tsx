'use client';
import { cn } from '@/components/ui/cn';
import { CountdownRing } from '@/components/ui/ring';
import { useServerNow } from '@/lib/browser/live/live-provider';
import type { LabSettings } from '@/lib/contract/lab/lab-schemas';
import type { Worker } from '@/lib/contract/workers/worker-schemas';

type Held = Worker['jobs'][number];
const RING = 20;

/** One row per concurrent job: type, progress and lease. */
export function ProcessJobs({
  worker,
  settings,
  roomy,
}: {
  worker: Worker | null;
  settings: LabSettings;
  roomy: boolean;
}) {
  const jobs = worker?.jobs ?? [];
  const rows = Math.max(settings.concurrency, jobs.length);
  const leaseMs = worker?.leaseMs ?? settings.leaseMs;
  return (
    <ul className={cn(roomy ? 'space-y-0.5' : 'flex flex-wrap gap-1')}>
      {Array.from({ length: rows }, (_, i) => {
        const job = jobs[i];
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position; its job changes.
        if (!job) return <Vacant key={i} roomy={roomy} />;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above.
          <li key={i} className={cn('flex items-center gap-1.5', roomy && 'h-5.5')} title={titleOf(job)}>
            <CountdownRing until={job.leaseUntil} totalMs={leaseMs} size={RING} />
            {roomy && (
              <>
                <span className="min-w-0 flex-1 truncate text-xs">{job.jobType}</span>
                <RunBar job={job} seenAt={worker?.lastSeenAt ?? 0} settings={settings} />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const titleOf = ({ jobType, jobId, queue }: Held): string => `${jobType} ${jobId} in ${queue}`;

function Vacant({ roomy }: { roomy: boolean }) {
  return (
    <li className={cn('flex items-center gap-1.5', roomy && 'h-5.5')}>
      <span aria-hidden className="size-5 shrink-0 rounded-full border border-line-strong border-dashed" />
      {roomy ? <span className="text-faint text-xs">idle</span> : <span className="sr-only">idle</span>}
    </li>
  );
}

/**
 * Progress towards the longest expected run time. It never fills by estimate: only a report of the worker shows that a run is
 * overdue.
 */
function RunBar({ job, seenAt, settings }: { job: Held; seenAt: number; settings: LabSettings }) {
  const now = useServerNow(500);
  const longest = Math.max(50, settings.runTimeMs * (1 + settings.runTimeSpreadPercent / 100));
  const overdue = seenAt - job.startedAt > longest + 1_000;
  const share = overdue ? 1 : Math.min(0.95, Math.max(0.05, (now - job.startedAt) / longest));
  return (
    <span
      className={cn('flex w-14 shrink-0 items-center', overdue && 'justify-end')}
      title={overdue ? 'Runs longer than expected' : undefined}
    >
      {overdue ? (
        <span className="font-medium text-2xs text-warn">hangs?</span>
      ) : (
        <span aria-hidden className="h-1 w-full overflow-hidden rounded-full bg-line">
          <span
            className="block size-full origin-left rounded-full bg-state-in-flight transition-transform duration-500 ease-linear"
            style={{ transform: `scaleX(${share})` }}
          />
        </span>
      )}
    </span>
  );
}
