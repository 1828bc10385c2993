'use client';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { StateBadge } from '@/components/ui/state-badge';
import { useJob } from '@/lib/client/use-job';
import { useJobAction } from '@/lib/client/use-job-action';
import type { JobAction, JobDetail } from '@/lib/contract/job';
import { ACTION_SPECS, actionsFor } from './action-specs';

/** What may be done to this job in the state it is in. */
export function JobActions({ queue, id }: { queue: string; id: string }) {
  const { data: job, error } = useJob(queue, id);
  const [asked, setAsked] = useState<JobAction | null>(null);
  if (!job || error?.status === 404) return null;
  return (
    <>
      {actionsFor(job.state).map((action) => {
        const { verb, Icon, look } = ACTION_SPECS[action];
        return (
          <Button key={action} variant={look} onClick={() => setAsked(action)}>
            <Icon aria-hidden />
            {verb}
          </Button>
        );
      })}
      {asked && <ActionDialog key={asked} job={job} action={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Says what will happen to which job, and does it. Stays open on a refusal, with the server's sentence. */
function ActionDialog({ job, action, onClose }: { job: JobDetail; action: JobAction; onClose: () => void }) {
  const { mutate, isPending, error } = useJobAction();
  const { verb, done, consequence, reason, look, final } = ACTION_SPECS[action];
  const { jobId, jobType, tenantId } = job.envelope;
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`${verb}: ${jobType}`}
      description={consequence(job)}
      facts={[
        { label: 'Job', value: jobId, mono: true },
        { label: 'Queue', value: job.queue },
        { label: 'Tenant', value: tenantId },
        { label: 'State', value: <StateBadge state={job.state} /> },
        { label: 'Attempts', value: `${job.attempt} of ${job.envelope.maxAttempts}` },
      ]}
      confirmLabel={verb}
      destructive={look === 'danger-quiet'}
      requireText={final ? jobId : undefined}
      reason={reason}
      pending={isPending}
      error={error?.detail}
      onConfirm={(answer) =>
        mutate(
          { queue: job.queue, jobId, action, reason: answer.reason || undefined },
          {
            onSuccess: () => {
              toast.success(done, { description: jobId });
              onClose();
            },
          },
        )
      }
    />
  );
}
