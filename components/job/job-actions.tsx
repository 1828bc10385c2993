'use client';
import { useState } from 'react';
import { toast } from 'sonner';
import { AuditLink } from '@/components/ui/audit-link';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { StateBadge } from '@/components/ui/state-badge';
import { useAskOperation } from '@/lib/client/ask-operation';
import { missingWords, useOffer, usePermits } from '@/lib/client/permissions';
import { useAuditHref } from '@/lib/client/use-audit';
import { useJob } from '@/lib/client/use-job';
import { useJobAction } from '@/lib/client/use-job-action';
import { jobActionPermission } from '@/lib/contract/action-permissions';
import type { JobAction, JobDetail } from '@/lib/contract/job';
import { KIND_WORDS } from '@/lib/contract/operation-words';
import { ACTION_SPECS, actionsFor, WIZARD_ICONS, wizardKindsFor } from './action-specs';

/** What may be done to this job in the state it is in. */
export function JobActions({ queue, id }: { queue: string; id: string }) {
  const { data: job, error } = useJob(queue, id);
  const [asked, setAsked] = useState<JobAction | null>(null);
  const may = usePermits();
  // What was done to many jobs at once names them in the change.
  const audit = useAuditHref({ queue, text: id }, queue);
  if (!job || error?.status === 404) return null;
  const { tenantId } = job.envelope;
  return (
    <>
      <AuditLink href={audit} />
      {actionsFor(job.state).map((action) => {
        const { verb, Icon, look } = ACTION_SPECS[action];
        const needs = jobActionPermission(action);
        if (!may(needs)) return null;
        const missing = may(needs, queue, tenantId) ? null : missingWords(needs, queue, tenantId);
        return (
          <Button key={action} variant={look} blocked={missing} onClick={() => setAsked(action)}>
            <Icon aria-hidden />
            {verb}
          </Button>
        );
      })}
      <WizardActions job={job} />
      {asked && <ActionDialog key={asked} job={job} action={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** What asks for more than a reason goes through the wizard, as an operation on this one job. */
function WizardActions({ job: { queue, state, envelope } }: { job: JobDetail }) {
  const ask = useAskOperation();
  const operate = useOffer('operate', queue, envelope.tenantId);
  if (!operate.shown) return null;
  return wizardKindsFor(state).map((kind) => {
    const Icon = WIZARD_ICONS[kind];
    const scope = { state, jobs: [{ queue, jobId: envelope.jobId }] };
    return (
      <Button
        key={kind}
        blocked={operate.missing}
        onClick={() => ask({ kind, scope, title: `${KIND_WORDS[kind].verb}: ${envelope.jobType}` })}
      >
        <Icon aria-hidden />
        {KIND_WORDS[kind].verb}…
      </Button>
    );
  });
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
