'use client';
import { CopyButton } from '@/components/ui/copy-button';
import { DataAge } from '@/components/ui/relative-time';
import { StateBadge } from '@/components/ui/state-badge';
import { useJob } from '@/lib/client/use-job';

/** Beside the id: its state and how old what is shown of it is. */
export function JobStatus({ queue, id }: { queue: string; id: string }) {
  const { data: job, error } = useJob(queue, id);
  return (
    <span className="flex items-center gap-2 self-center">
      <CopyButton text={id} label="Copy the job id" />
      {job && error?.status !== 404 && (
        <>
          <StateBadge state={job.state} />
          <DataAge at={job.at} staleAfterMs={25_000} />
        </>
      )}
    </span>
  );
}
