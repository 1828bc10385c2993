import { Badge } from '@/components/ui/badge';
import { ChevronRight } from '@/components/ui/icons';
import { Panel } from '@/components/ui/panel';
import { CodeBlock } from '@/components/ui/text/code-block';
import { RelativeTime } from '@/components/ui/text/relative-time';
import { ERROR_CLASS_MEANING } from '@/lib/contract/jobs/error-classes';
import type { HistoryEntry, JobDetail } from '@/lib/contract/jobs/job-schemas';
import type { JobState } from '@/lib/contract/jobs/job-states';
import { detailText, revealHidden } from '@/lib/format/display-text';

const DIED: readonly JobState[] = ['dead', 'suppressed', 'trashed'];

/** The last failure; earlier ones are in the timeline. */
export function ErrorPanel({ job }: { job: JobDetail }) {
  const last = job.history.filter(({ errorCode, message }) => errorCode !== null || message !== null);
  const entry = newest(last.filter(({ kind }) => kind === 'failed' || kind === 'dead' || kind === 'lost'));
  if (!entry || job.state === 'completed') return null;
  return (
    <Panel
      title={DIED.includes(job.state) ? 'Why it died' : 'Last error'}
      aside={<RelativeTime at={entry.at} />}
      className="border-l-3 border-l-bad"
    >
      <FailureDetails entry={entry} />
    </Panel>
  );
}

const newest = (entries: readonly HistoryEntry[]): HistoryEntry | undefined =>
  entries.reduce<HistoryEntry | undefined>(
    (latest, entry) => (!latest || entry.at >= latest.at ? entry : latest),
    undefined,
  );

/** Code, class, message and collapsed stack. `brief`: the meaning of the class only on hover. */
export function FailureDetails({ entry, brief }: { entry: HistoryEntry; brief?: boolean }) {
  return (
    <div className="space-y-1.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {entry.errorCode && (
          <span
            translate="no"
            className="min-w-0 font-medium font-mono text-bad text-xs [overflow-wrap:anywhere]"
          >
            {revealHidden(entry.errorCode)}
          </span>
        )}
        {entry.errorClass && <Badge title={ERROR_CLASS_MEANING[entry.errorClass]}>{entry.errorClass}</Badge>}
        {entry.errorClass && !brief && (
          <span className="text-faint text-xs">{ERROR_CLASS_MEANING[entry.errorClass]}</span>
        )}
      </p>
      {entry.message && (
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{detailText(entry.message)}</p>
      )}
      {entry.stack && (
        <details className="group/stack">
          <summary className="inline-flex list-none items-center gap-1 rounded text-muted text-xs hover:text-fg">
            <ChevronRight aria-hidden className="size-3.5 group-open/stack:rotate-90" />
            Stack
          </summary>
          <CodeBlock text={entry.stack} label="stack" className="max-h-72" />
        </details>
      )}
    </div>
  );
}
