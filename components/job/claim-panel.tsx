'use client';
import { useNow } from '@/components/ui/now';
import { Panel } from '@/components/ui/panel';
import { CountdownRing } from '@/components/ui/ring';
import { useWorkers } from '@/lib/client/use-workers';
import type { JobDetail } from '@/lib/contract/job';
import { duration } from '@/lib/format/duration';

/** Who runs it now, for how long already, and how long its lease still holds. */
export function ClaimPanel({ job, claim }: { job: JobDetail; claim: NonNullable<JobDetail['claim']> }) {
  const worker = useWorkers().data?.workers.find(({ workerId }) => workerId === claim.worker);
  const now = useNow();
  const left = claim.leaseUntil - now;
  return (
    <Panel>
      <div className="flex items-center gap-3">
        <CountdownRing
          until={claim.leaseUntil}
          totalMs={worker?.leaseMs ?? claim.leaseUntil - claim.claimedAt}
          size={40}
        />
        <div className="min-w-0">
          <p>
            In flight on <span className="font-mono text-xs">{claim.worker}</span> for{' '}
            {duration(Math.max(0, Math.round((now - claim.claimedAt) / 1_000) * 1_000))}, attempt{' '}
            {job.attempt} of {job.envelope.maxAttempts}.
          </p>
          <p className="text-muted text-xs">
            {left > 0
              ? 'Its worker renews the lease while it lives. If it dies, the job is reclaimed when the lease runs out.'
              : 'The lease ran out: the next reclaim returns this job.'}
          </p>
        </div>
      </div>
    </Panel>
  );
}
