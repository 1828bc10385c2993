'use client';
import { cn } from '@/components/ui/cn';
import { CountdownRing } from '@/components/ui/ring';
import { useServerNow } from '@/lib/client/live';
import type { LabSettings } from '@/lib/contract/lab';
import type { Worker } from '@/lib/contract/workers';

type Held = Worker['jobs'][number];
const RING = 20;

/** One place for each job the process may run at once: its type, how far it is, and its lease counting down. */
export function SlotJobs({
  worker,
  settings,
  roomy,
}: {
  worker: Worker | null;
  settings: LabSettings;
  roomy: boolean;
}) {
  const jobs = worker?.jobs ?? [];
  const places = Math.max(settings.concurrency, jobs.length);
  const leaseMs = worker?.leaseMs ?? settings.leaseMs;
  return (
    <ul className={cn(roomy ? 'space-y-0.5' : 'flex flex-wrap gap-1')}>
      {Array.from({ length: places }, (_, i) => {
        const job = jobs[i];
        // biome-ignore lint/suspicious/noArrayIndexKey: a place is its position; the job in it comes and goes.
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
 * How much of the longest expected run has passed. Between two reports nothing is known, so it never fills by guessing:
 * only a report can say that a run takes longer than it should.
 */
function RunBar({ job, seenAt, settings }: { job: Held; seenAt: number; settings: LabSettings }) {
  const now = useServerNow(500);
  const longest = Math.max(50, settings.runTimeMs * (1 + settings.runTimeSpreadPercent / 100));
  const overdue = seenAt - job.startedAt > longest + 1_000;
  const share = overdue ? 1 : Math.min(0.95, Math.max(0.05, (now - job.startedAt) / longest));
  return (
    <span
      className={cn('flex w-14 shrink-0 items-center', overdue && 'justify-end')}
      title={overdue ? 'Runs longer than it should' : undefined}
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
