'use client';
import { AuditLink } from '@/components/shared/audit-link';
import { ConfirmWrite } from '@/components/shared/confirm-write';
import { coverageText } from '@/components/shared/coverage-text';
import { KIND_ICONS, KIND_NOTES } from '@/components/shared/job-lists/operation-buttons';
import { StateBadge } from '@/components/shared/state-badge';
import { useDialog } from '@/components/shared/use-dialog';
import { Callout } from '@/components/ui/callout';
import { Button } from '@/components/ui/controls/button';
import { CopyButton } from '@/components/ui/controls/copy-button';
import { ChevronDown, type Icon } from '@/components/ui/icons';
import { Menu, MenuContent, MenuItem, MenuNote, MenuTrigger } from '@/components/ui/overlays/dropdown-menu';
import { toast } from '@/components/ui/overlays/toast';
import { DataAge } from '@/components/ui/text/relative-time';
import { usePageActions } from '@/components/ui/use-page-actions';
import { usePhone } from '@/components/ui/use-phone';
import { missingPermissionMessage, usePermits } from '@/lib/browser/access/use-permissions';
import { useJob, useJobAction } from '@/lib/browser/jobs/use-jobs';
import { useWorkers } from '@/lib/browser/live/use-workers';
import { useOperationWizard } from '@/lib/browser/operation-wizard-context';
import { useAuditHref } from '@/lib/browser/use-audit';
import { jobActionPermission, operationPermission } from '@/lib/contract/access/action-permissions';
import type { Permission } from '@/lib/contract/access/grant-scopes';
import type { JobAction } from '@/lib/contract/jobs/job-actions';
import type { JobDetail } from '@/lib/contract/jobs/job-schemas';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { missingCoverage, tablesOfQueue } from '@/lib/contract/workers/handler-coverage';
import { revealHidden } from '@/lib/format/display-text';
import { ACTION_SPECS, actionsFor, wizardKindsFor } from './job-action-specs';

const ACTIONS = Object.keys(ACTION_SPECS) as JobAction[];

interface OfferedAction {
  verb: string;
  Icon: Icon;
  look: 'primary' | 'secondary' | 'danger-quiet';
  missing: string | null;
  start: () => void;
  /** Beside its name in a menu. */
  note?: string | undefined;
}

/** Actions on the job in its present state: what moves it on first, what ends it last. `compact`: two buttons and a menu. */
export function JobActions({ queue, id, compact = false }: { queue: string; id: string; compact?: boolean }) {
  const { data: job, error } = useJob(queue, id);
  // Operations on many jobs list the ids in the text of the event.
  const audit = useAuditHref({ queue, text: id }, queue);
  const may = usePermits();
  const [asked, ask] = useDialog(ACTIONS, (action) => {
    const isOffered = job !== undefined && actionsFor(job.state).includes(action);
    return isOffered && may(jobActionPermission(action), queue, job.envelope.tenantId);
  });
  const offered = useOfferedActions(job, ask);
  const isPhone = usePhone();
  if (!job || error?.status === 404) return null;
  const isLong = offered.length > BUTTONS_MAX;
  const buttons = isLong && (compact || isPhone) ? offered.slice(0, BUTTONS_MAX) : offered;
  const others = isLong && (compact || isPhone !== false) ? offered.slice(BUTTONS_MAX) : [];
  // Until the browser knows how wide it is, the further actions are in the page twice.
  const isEither = isPhone === null && !compact;
  return (
    <>
      {buttons.map(({ verb, Icon, look, missing, start }, index) => (
        <Button
          key={verb}
          variant={look}
          className={isEither && index >= BUTTONS_MAX ? 'max-md:hidden' : undefined}
          blocked={missing}
          onClick={start}
        >
          <Icon aria-hidden />
          {verb}
        </Button>
      ))}
      {others.length > 0 && <MoreActions actions={others} className={isEither ? 'md:hidden' : undefined} />}
      <AuditLink href={audit} />
      {asked && <ActionDialog key={asked} job={job} action={asked} onClose={() => ask(null)} />}
    </>
  );
}

const BUTTONS_MAX = 2;

function MoreActions({
  actions,
  className,
}: {
  actions: readonly OfferedAction[];
  className: string | undefined;
}) {
  usePageActions(
    actions.filter(({ missing }) => missing === null).map(({ verb, start }) => ({ label: verb, run: start })),
  );
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button className={className}>
          More
          <ChevronDown aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent align="start">
        {actions.map(({ verb, Icon, look, missing, start, note }) => (
          <MenuItem key={verb} destructive={look === 'danger-quiet'} blocked={missing} onSelect={start}>
            <Icon aria-hidden />
            {verb}
            <MenuNote>{note}</MenuNote>
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  );
}

/** Primary actions, then operations on this job alone, then the others. */
function useOfferedActions(
  job: JobDetail | undefined,
  ask: (action: JobAction) => void,
): readonly OfferedAction[] {
  const may = usePermits();
  const openWizard = useOperationWizard();
  if (!job) return [];
  const { queue, state, envelope } = job;
  const { tenantId, jobId, jobType } = envelope;
  const offer = (needs: Permission, action: Omit<OfferedAction, 'missing'>): OfferedAction[] => {
    if (!may(needs)) return [];
    const missing = may(needs, queue, tenantId) ? null : missingPermissionMessage(needs, queue, tenantId);
    return [{ ...action, missing }];
  };
  const ofJob = (isPrimary: boolean) =>
    actionsFor(state)
      .filter((action) => (ACTION_SPECS[action].look === 'primary') === isPrimary)
      .flatMap((action) => {
        const { verb, Icon, look } = ACTION_SPECS[action];
        const note = KIND_NOTES[action === 'remove' ? 'delete' : action];
        // Each asks first.
        const label = isPrimary ? verb : `${verb}…`;
        return offer(jobActionPermission(action), {
          verb: label,
          Icon,
          look,
          start: () => ask(action),
          note,
        });
      });
  const ofWizard = wizardKindsFor(state).flatMap((kind) => {
    const { verb } = KIND_LABELS[kind];
    const start = () =>
      openWizard({ kind, scope: { state, jobs: [{ queue, jobId }] }, title: `${verb}: ${jobType}` });
    return offer(operationPermission(kind), {
      verb: `${verb}…`,
      Icon: KIND_ICONS[kind],
      look: 'secondary',
      start,
    });
  });
  return [...ofJob(true), ...ofWizard, ...ofJob(false)];
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

const whatIs = ({ envelope: { jobType, tenantId } }: JobDetail): string =>
  `${jobType}, tenant ${revealHidden(tenantId)}`;

/** State, type and tenant of the job, and the age of the data. */
export function JobStatus({ queue, id }: { queue: string; id: string }) {
  const { data: job, error } = useJob(queue, id);
  return (
    <span className="flex items-center gap-2 self-center">
      <CopyButton text={id} label="Copy the job id" />
      {job && error?.status !== 404 && (
        <>
          <StateBadge state={job.state} />
          <span className="max-w-72 truncate text-muted text-sm max-md:hidden" title={whatIs(job)}>
            {whatIs(job)}
          </span>
          <DataAge at={job.at} staleAfterMs={25_000} />
        </>
      )}
    </span>
  );
}
