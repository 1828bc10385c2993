import Link from 'next/link';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { links } from '@/lib/client/links';
import type { LabCrash } from '@/lib/contract/lab';
import { count } from '@/lib/format/plural';
import { truncateMiddle } from '@/lib/format/text';

const NAMED = 3;

/** The latest deaths: who, how, and what became of what it held. */
export function CrashLog({ crashes }: { crashes: readonly LabCrash[] }) {
  return (
    <Panel title="Crashes" aside={crashes.length > 0 ? `latest ${crashes.length}` : undefined} flush>
      {crashes.length === 0 ? (
        <p className="px-3 py-4 text-muted text-xs">No worker has died yet. Turn “Crash” up.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        <ul className="max-h-52 overflow-y-auto" tabIndex={0} aria-label="Latest crashes">
          {crashes.map((crash) => (
            <li
              key={`${crash.at} ${crash.workerId}`}
              className="border-line border-b px-3 py-1.5 text-xs last:border-b-0"
            >
              <div className="flex justify-between gap-2">
                <span>
                  <span className="font-medium text-bad">{crash.cause}</span>{' '}
                  <span className="text-muted">pid {crash.pid}</span>
                </span>
                <RelativeTime at={crash.at} className="text-faint" />
              </div>
              <div className="text-muted">
                {count(crash.reclaimed, 'job')} reclaimed
                {crash.jobs.slice(0, NAMED).map((job, i) => (
                  <span key={job.jobId}>
                    {i === 0 ? ': ' : ', '}
                    <Link
                      href={links.job(job.queue, job.jobId)}
                      prefetch={false}
                      className="font-mono text-2xs text-accent hover:underline"
                    >
                      {truncateMiddle(job.jobId, 9)}
                    </Link>
                  </span>
                ))}
                {crash.jobs.length > NAMED && ` and ${crash.jobs.length - NAMED} more`}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
