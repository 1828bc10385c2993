'use client';
import { useState } from 'react';
import { AuditLink } from '@/components/shared/audit-link';
import { ConfirmWrite } from '@/components/shared/confirm-write';
import { coverageText } from '@/components/shared/coverage-text';
import { KIND_ICONS } from '@/components/shared/job-lists/operation-buttons';
import { StateBadge } from '@/components/shared/state-badge';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { CopyButton } from '@/components/ui/controls/copy-button';
import { toast } from '@/components/ui/overlays/toast';
import { DataAge } from '@/components/ui/text/relative-time';
import { missingPermissionMessage, useOffer, usePermits } from '@/lib/browser/access/use-permissions';
import { useJob, useJobAction } from '@/lib/browser/jobs/use-jobs';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { useAuditHref } from '@/lib/browser/use-audit';
import { jobActionPermission } from '@/lib/contract/access/action-permissions';
import type { JobAction } from '@/lib/contract/jobs/job-actions';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { missingCoverage, tablesOfQueue } from '@/lib/contract/workers/handler-coverage';
import { ACTION_SPECS, actionsFor, wizardKindsFor } from './job-action-specs';

const isPrimary = (action: JobAction): boolean => ACTION_SPECS[action].look === 'primary';

/** Actions on the job in its present state: what moves it on first, what ends it last. */
export function JobActions({ queue, id }: { queue: string; id: string }) {
  const { data: job, error } = useJob(queue, id);
  const [asked, setAsked] = useState<JobAction | null>(null);
  const may = usePermits();
  // Operations on many jobs list the ids in the text of the event.
  const audit = useAuditHref({ queue, text: id }, queue);
  if (!job || error?.status === 404) return null;
  const { tenantId } = job.envelope;
  const actions = actionsFor(job.state);
  const button = (action: JobAction) => {
    const { verb, Icon, look } = ACTION_SPECS[action];
    const needs = jobActionPermission(action);
    if (!may(needs)) return null;
    const missing = may(needs, queue, tenantId) ? null : missingPermissionMessage(needs, queue, tenantId);
    return (
      <Button key={action} variant={look} blocked={missing} onClick={() => setAsked(action)}>
        <Icon aria-hidden />
        {verb}
      </Button>
    );
  };
  return (
    <>
      {actions.filter(isPrimary).map(button)}
      <WizardActions job={job} />
      {actions.filter((action) => !isPrimary(action)).map(button)}
      <AuditLink href={audit} />
      {asked && <ActionDialog key={asked} job={job} action={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

/** Opens the operation wizard for this one job. */
function WizardActions({ job: { queue, state, envelope } }: { job: JobDetail }) {
  const ask = useOperationWizard();
  const operate = useOffer('operate', queue, envelope.tenantId);
  if (!operate.shown) return null;
  return wizardKindsFor(state).map((kind) => {
    const Icon = KIND_ICONS[kind];
    const scope = { state, jobs: [{ queue, jobId: envelope.jobId }] };
    return (
      <Button
        key={kind}
        blocked={operate.missing}
        onClick={() => ask({ kind, scope, title: `${KIND_LABELS[kind].verb}: ${envelope.jobType}` })}
      >
        <Icon aria-hidden />
        {KIND_LABELS[kind].verb}…
      </Button>
    );
  });
}

/** Confirms the action. Stays open with the error when it is refused. */
function ActionDialog({ job, action, onClose }: { job: JobDetail; action: JobAction; onClose: () => void }) {
  const { verb, done, consequence, reason, look, final } = ACTION_SPECS[action];
  const { jobId, jobType, tenantId } = job.envelope;
  return (
    <ConfirmWrite
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
      write={useJobAction()}
      input={(why) => ({ queue: job.queue, jobId, action, reason: why || undefined })}
      onDone={() => toast.success(done, { description: jobId })}
      onClose={onClose}
    >
      {action === 'redrive' && <HandlerWarning job={job} />}
    </ConfirmWrite>
  );
}

/** Live workers of the queue have no handler for the job, so it fails again. */
function HandlerWarning({ job: { queue, envelope } }: { job: JobDetail }) {
  const { workers = [] } = useWorkers().data ?? {};
  const { jobType, jobVersion } = envelope;
  const coverage = missingCoverage(tablesOfQueue(workers, queue), jobType, jobVersion);
  if (!coverage) return null;
  return (
    <Callout tone={coverage.takeVersion === 0 ? 'bad' : 'warn'}>
      The job {coverage.takeVersion === 0 ? 'will' : 'may'} fail again:{' '}
      {coverageText({ queue, jobType, jobVersion, ...coverage })}.
    </Callout>
  );
}

/** The state of the job and the age of the data. */
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
