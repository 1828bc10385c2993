import Link from 'next/link';
import { ZapOff } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { links } from '@/lib/browser/links';
import type { LabCrash } from '@/lib/contract/lab/lab-schemas';
import { truncateMiddle } from '@/lib/format/display-text';
import { count } from '@/lib/format/plural';

const JOBS_SHOWN = 4;

/** The latest crashes with cause and reclaimed jobs. */
export function CrashLog({ crashes }: { crashes: readonly LabCrash[] | null }) {
  return (
    <Panel title="Crashes" aside="latest 20" flush className="min-h-62">
      <section
        aria-label="Crashes"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="h-52 overflow-y-auto outline-offset-[-2px]"
      >
        {crashes?.length === 0 && (
          <p className="px-3 py-6 text-center text-faint text-xs">
            No crash is on record. Raise the Crash slider.
          </p>
        )}
        <ol>
          {crashes?.map((crash, i) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position: a new crash changes texts and moves nothing.
              key={i}
              className="h-10.5 border-line border-b px-3 py-1 text-xs last:border-0"
            >
              <p className="flex items-center gap-1.5">
                <ZapOff aria-hidden className="size-3 shrink-0 text-bad" />
                <span className="font-medium text-bad">{crash.cause}</span>
                <span className="min-w-0 truncate text-muted" title={crash.workerId}>
                  pid {crash.pid}
                </span>
                <RelativeTime at={crash.at} className="ml-auto w-16 shrink-0 text-right text-faint" />
              </p>
              <p className="truncate pl-4.5 text-muted">
                {crash.reclaimed > 0
                  ? `${count(crash.reclaimed, 'job')} reclaimed`
                  : crash.jobs.length > 0
                    ? `${count(crash.jobs.length, 'lease')} to expire`
                    : 'no jobs'}
                {crash.jobs.slice(0, JOBS_SHOWN).map(({ queue, jobId }) => (
                  <Link
                    key={jobId}
                    href={links.job(queue, jobId)}
                    prefetch={false}
                    title={`${jobId} in ${queue}`}
                    className="ml-1.5 font-mono text-2xs text-accent hover:underline"
                  >
                    {truncateMiddle(jobId, 7)}
                  </Link>
                ))}
                {crash.jobs.length > JOBS_SHOWN && (
                  <span className="text-faint"> +{crash.jobs.length - JOBS_SHOWN}</span>
                )}
              </p>
            </li>
          ))}
        </ol>
      </section>
    </Panel>
  );
}
