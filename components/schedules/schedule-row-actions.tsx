'use client';
import type { Route } from 'next';
import Link from 'next/link';
import { useFilledLink } from '@/components/shared/requests/use-filled';
import { useDialog } from '@/components/shared/use-dialog';
import { useOpenPage } from '@/components/shared/use-open-page';
import { IconButton } from '@/components/ui/controls/icon-button';
import { CirclePause, Ellipsis, Pencil, Play, ScrollText, Trash2, Zap } from '@/components/ui/icons';
import { lazyPart } from '@/components/ui/lazy-part';
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuSeparator,
  MenuTrigger,
} from '@/components/ui/overlays/dropdown-menu';
import { ConfirmDialog } from '@/components/ui/overlays/lazy-dialogs';
import { toast } from '@/components/ui/overlays/toast';
import { useOffer } from '@/lib/browser/access/use-permissions';
import { filledText } from '@/lib/browser/dialog-link';
import { links } from '@/lib/browser/links';
import { useAuditHref } from '@/lib/browser/use-audit';
import { useDeleteSchedule, usePauseSchedule, useRunSchedule } from '@/lib/browser/use-schedules';
import type { ScheduleSummary } from '@/lib/contract/schedules/schedule-schemas';
import { fullNumber } from '@/lib/format/number';
import { expressionLabel, timingLabel } from './labels';

const EditScheduleDialog = lazyPart(() =>
  import('./schedule-dialog').then((module) => module.EditScheduleDialog),
);

const CopyRequest = lazyPart(() =>
  import('@/components/shared/requests/copy-request').then((module) => module.CopyRequest),
);

/** Actions on a schedule. All but resuming ask for a confirmation. */
export function ScheduleRowActions({ schedule }: { schedule: ScheduleSummary }) {
  const resume = usePauseSchedule();
  const { id, queue, paused, job } = schedule;
  const run = useOffer('enqueue', queue, job.tenantId);
  const operate = useOffer('operate', queue, job.tenantId);
  const destroy = useOffer('destroy', queue, job.tenantId);
  const audit = useAuditHref({ kind: 'schedule', id }, queue);
  const [asked, setAsked] = useDialog(
    DIALOGS,
    (dialog) => {
      const { shown, missing } = dialog === 'run' ? run : dialog === 'delete' ? destroy : operate;
      return shown && missing === null && !(dialog === 'pause' && paused);
    },
    id,
  );
  const close = () => setAsked(null);
  const resumeNow = () =>
    resume.mutate(
      { id, action: 'resume' },
      {
        onSuccess: () => toast.success('Resumed', { description: id }),
        onError: (error) => toast.error('Could not resume', { description: error.detail }),
      },
    );
  return (
    <span className="inline-flex items-center gap-0.5">
      {run.shown && (
        <IconButton size="sm" label={`Run ${id} now`} blocked={run.missing} onClick={() => setAsked('run')}>
          <Zap aria-hidden />
        </IconButton>
      )}
      {operate.shown && (
        <IconButton
          size="sm"
          label={`${paused ? 'Resume' : 'Pause'} ${id}`}
          blocked={operate.missing}
          pending={resume.isPending}
          onClick={paused ? resumeNow : () => setAsked('pause')}
        >
          {paused ? <Play aria-hidden /> : <CirclePause aria-hidden />}
        </IconButton>
      )}
      {(operate.shown || destroy.shown || audit !== null) && (
        <Menu>
          <MenuTrigger asChild>
            <IconButton size="sm" label={`More actions for ${id}`} tooltip={false}>
              <Ellipsis aria-hidden />
            </IconButton>
          </MenuTrigger>
          <MenuContent>
            <MenuItem blocked={operate.missing} onSelect={() => setAsked('edit')}>
              <Pencil aria-hidden />
              Change…
            </MenuItem>
            {audit !== null && (
              <MenuItem asChild>
                <Link href={audit as Route} prefetch={false}>
                  <ScrollText aria-hidden />
                  Audit log
                </Link>
              </MenuItem>
            )}
            <MenuSeparator />
            <MenuItem destructive blocked={destroy.missing} onSelect={() => setAsked('delete')}>
              <Trash2 aria-hidden />
              Delete…
            </MenuItem>
          </MenuContent>
        </Menu>
      )}
      {asked === 'edit' && <EditScheduleDialog id={id} onClose={close} />}
      {asked && asked !== 'edit' && (
        <ConfirmScheduleAction key={asked} action={asked} schedule={schedule} onClose={close} />
      )}
    </span>
  );
}

const DIALOGS = ['run', 'pause', 'edit', 'delete'] as const;
const TEXTS = {
  run: {
    title: 'Run now?',
    description: 'Enqueues one job now, in addition to the scheduled runs.',
    confirmLabel: 'Run now',
  },
  pause: {
    title: 'Pause this schedule?',
    description:
      'No jobs are enqueued until the schedule is resumed. Runs missed while paused are skipped. Jobs already enqueued continue.',
    confirmLabel: 'Pause schedule',
    reason: 'optional',
  },
  delete: {
    title: 'Delete this schedule?',
    description: 'This cannot be undone. Jobs already enqueued are kept.',
    confirmLabel: 'Delete schedule',
    reason: 'optional',
    destructive: true,
  },
} as const;

function ConfirmScheduleAction({
  action,
  schedule: { id, queue, job, timing, maker, entered },
  onClose,
}: {
  action: keyof typeof TEXTS;
  schedule: ScheduleSummary;
  onClose: () => void;
}) {
  const openPage = useOpenPage();
  const mutations = { run: useRunSchedule(), pause: usePauseSchedule(), delete: useDeleteSchedule() };
  const { isPending, error } = mutations[action];
  const requestOf = (reason: string | undefined) => {
    if (action === 'run') return mutations.run.requestOf({ id, queue });
    return action === 'pause'
      ? mutations.pause.requestOf({ id, action, reason })
      : mutations.delete.requestOf({ id, reason });
  };
  const finish = (title: string, details: Parameters<typeof toast.success>[1]) => {
    toast.success(title, details);
    onClose();
  };
  const confirm = (reason: string | undefined) => {
    if (action === 'run')
      return mutations.run.mutate(
        { id, queue },
        {
          onSuccess: ({ jobId }) =>
            finish('Enqueued', {
              description: jobId,
              action: { label: 'Open', onClick: () => openPage(links.job(queue, jobId)) },
            }),
        },
      );
    if (action === 'pause')
      return mutations.pause.mutate(
        { id, action, reason },
        { onSuccess: () => finish('Paused', { description: id }) },
      );
    mutations.delete.mutate({ id, reason }, { onSuccess: () => finish('Deleted', { description: id }) });
  };
  return (
    <ConfirmDialog
      {...TEXTS[action]}
      open
      onOpenChange={(open) => !open && onClose()}
      facts={[
        { label: 'Schedule', value: id, mono: true },
        { label: 'Queue', value: queue },
        { label: 'Job type', value: job.jobType },
        { label: 'When', value: [timingLabel(timing), expressionLabel(timing)].filter(Boolean).join(': ') },
        { label: 'Created by', value: maker },
        ...(action === 'delete' ? [{ label: 'Jobs enqueued', value: fullNumber(entered) }] : []),
      ]}
      requireText={action === 'delete' ? id : undefined}
      pending={isPending}
      error={error?.detail}
      firstReason={filledText(useFilledLink(), 'reason')}
      tools={({ reason }) => (
        <CopyRequest
          request={() => requestOf(reason || undefined)}
          filled={() => (reason === '' ? {} : { reason })}
        />
      )}
      onConfirm={({ reason }) => confirm(reason || undefined)}
    />
  );
}
