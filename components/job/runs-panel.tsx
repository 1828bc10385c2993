import { KeyValue } from '@/components/ui/key-value';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import { StateBadge } from '@/components/ui/state-badge';
import type { JobDetail } from '@/lib/contract/job';
import { type JobState, STATE_MEANING } from '@/lib/contract/states';

/** What the time of a state means. */
const SINCE: Partial<Record<JobState, string>> = {
  'in-flight': 'Lease ends',
  scheduled: 'Due',
  retry: 'Due',
  completed: 'Completed',
  dead: 'Died',
  suppressed: 'Suppressed',
  trashed: 'Trashed',
};

/** Where the job is and how often it was tried. */
export function RunsPanel({ job }: { job: JobDetail }) {
  const since = SINCE[job.state];
  return (
    <Panel title="State" aside={<StateBadge state={job.state} plain />}>
      <p className="mb-2 text-muted">{STATE_MEANING[job.state]}.</p>
      <KeyValue
        items={[
          ...(since ? [{ label: since, value: <RelativeTime at={job.stateAt} /> }] : []),
          { label: 'Attempts', value: `${job.attempt} of ${job.envelope.maxAttempts}` },
          { label: 'Claimed', value: times(job.deliveries) },
          { label: 'Lease losses', value: times(job.leaseLosses) },
          { label: 'Re-drives', value: times(job.redrives) },
        ]}
      />
    </Panel>
  );
}

const times = (n: number): string => (n === 0 ? 'never' : n === 1 ? 'once' : `${n} times`);
