'use client';
import { CirclePause, Ellipsis, Pencil, Play, ScrollText, Trash2, Zap } from 'lucide-react';
import type { Route } from 'next';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/dropdown-menu';
import { IconButton } from '@/components/ui/icon-button';
import type { KeyValueItem } from '@/components/ui/key-value';
import { links } from '@/lib/client/links';
import { useOffer } from '@/lib/client/permissions';
import { useAuditHref } from '@/lib/client/use-audit';
import { useDeleteSchedule, usePauseSchedule, useRunSchedule } from '@/lib/client/use-schedules';
import type { ScheduleSummary } from '@/lib/contract/schedules';
import { full } from '@/lib/format/number';
import { EditScheduleDialog } from './schedule-dialog';
import { expressionWords, whenWords } from './words';

type Asked = 'run' | 'pause' | 'edit' | 'delete';

/** What may be done to a schedule. What runs or stops something asks first; resuming only takes it back. */
export function RowActions({ schedule }: { schedule: ScheduleSummary }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const resume = usePauseSchedule();
  const { id, queue, paused, job } = schedule;
  const run = useOffer('enqueue', queue, job.tenantId);
  const operate = useOffer('operate', queue, job.tenantId);
  const destroy = useOffer('destroy', queue, job.tenantId);
  const audit = useAuditHref({ kind: 'schedule', id }, queue);
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
      {operate.shown &&
        (paused ? (
          <IconButton
            size="sm"
            label={`Resume ${id}`}
            blocked={operate.missing}
            pending={resume.isPending}
            onClick={resumeNow}
          >
            <Play aria-hidden />
          </IconButton>
        ) : (
          <IconButton
            size="sm"
            label={`Pause ${id}`}
            blocked={operate.missing}
            onClick={() => setAsked('pause')}
          >
            <CirclePause aria-hidden />
          </IconButton>
        ))}
      {(operate.shown || destroy.shown || audit !== null) && (
        <Menu>
          <MenuTrigger asChild>
            <IconButton size="sm" label={`More about ${id}`} tooltip={false}>
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
      {asked === 'run' && <RunDialog schedule={schedule} onClose={close} />}
      {asked === 'pause' && <PauseDialog schedule={schedule} onClose={close} />}
      {asked === 'delete' && <DeleteDialog schedule={schedule} onClose={close} />}
    </span>
  );
}

interface Props {
  schedule: ScheduleSummary;
  onClose: () => void;
}
const whenClosed = (onClose: () => void) => (open: boolean) => {
  if (!open) onClose();
};
const facts = ({ id, queue, job, timing, maker }: ScheduleSummary): readonly KeyValueItem[] => [
  { label: 'Schedule', value: id, mono: true },
  { label: 'Queue', value: queue },
  { label: 'Job type', value: job.jobType },
  { label: 'When', value: [whenWords(timing), expressionWords(timing)].filter(Boolean).join(': ') },
  { label: 'Made by', value: maker },
];

function RunDialog({ schedule, onClose }: Props) {
  const { mutate, isPending, error } = useRunSchedule();
  const router = useRouter();
  const { id, queue } = schedule;
  return (
    <ConfirmDialog
      open
      onOpenChange={whenClosed(onClose)}
      title="Run it now?"
      description="One job is entered now, besides those of its slots."
      facts={facts(schedule)}
      confirmLabel="Run now"
      pending={isPending}
      error={error?.detail}
      onConfirm={() =>
        mutate(
          { id, queue },
          {
            onSuccess: ({ jobId }) => {
              toast.success('Entered', {
                description: jobId,
                action: { label: 'Open', onClick: () => router.push(links.job(queue, jobId)) },
              });
              onClose();
            },
          },
        )
      }
    />
  );
}

function PauseDialog({ schedule, onClose }: Props) {
  const { mutate, isPending, error } = usePauseSchedule();
  const { id } = schedule;
  return (
    <ConfirmDialog
      open
      onOpenChange={whenClosed(onClose)}
      title="Pause this schedule?"
      description="It enters no more jobs until it is resumed; runs that pass meanwhile are not made up for. Jobs it has entered go on."
      facts={facts(schedule)}
      confirmLabel="Pause schedule"
      reason="optional"
      pending={isPending}
      error={error?.detail}
      onConfirm={({ reason }) =>
        mutate(
          { id, action: 'pause', reason: reason || undefined },
          {
            onSuccess: () => {
              toast.success('Paused', { description: id });
              onClose();
            },
          },
        )
      }
    />
  );
}

function DeleteDialog({ schedule, onClose }: Props) {
  const { mutate, isPending, error } = useDeleteSchedule();
  const { id, entered } = schedule;
  return (
    <ConfirmDialog
      open
      onOpenChange={whenClosed(onClose)}
      title="Delete this schedule?"
      description="Nothing brings it back. The jobs it has entered stay."
      facts={[...facts(schedule), { label: 'Jobs entered', value: full(entered) }]}
      confirmLabel="Delete schedule"
      destructive
      requireText={id}
      reason="optional"
      pending={isPending}
      error={error?.detail}
      onConfirm={({ reason }) =>
        mutate(
          { id, reason: reason || undefined },
          {
            onSuccess: () => {
              toast.success('Deleted', { description: id });
              onClose();
            },
          },
        )
      }
    />
  );
}
