'use client';
import { Button } from '@/components/ui/controls/button';
import { Plus, RotateCcw, Undo2 } from '@/components/ui/icons';
import { toast } from '@/components/ui/overlays/toast';
import { pageActions } from '@/components/ui/page-actions';
import { LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';
import { fullNumber } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { sameSettings } from './lab-control-specs';
import { type LabSettingsEditor, useLabBurst, useLabReclaim } from './use-lab';

const BURSTS = [100, 1_000, 5_000] as const;

/** Bursts, the reclaim sweep and the way back to the defaults. */
export function LabToolbar({ editor, supervised }: { editor: LabSettingsEditor; supervised: boolean }) {
  const { settings, update } = editor;
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-2" {...pageActions}>
      <fieldset className="flex items-center gap-1.5">
        <legend className="sr-only">Burst</legend>
        <span aria-hidden className="text-muted text-xs">
          Burst
        </span>
        {BURSTS.map((jobs) => (
          <Burst key={jobs} jobs={jobs} supervised={supervised} />
        ))}
      </fieldset>
      <ReclaimButton />
      <Button
        variant="ghost"
        disabled={!settings || sameSettings(settings, LAB_DEFAULTS)}
        onClick={() => update(LAB_DEFAULTS)}
      >
        <RotateCcw aria-hidden />
        Reset to defaults
      </Button>
    </div>
  );
}

function Burst({ jobs, supervised }: { jobs: number; supervised: boolean }) {
  const { mutate, isPending } = useLabBurst();
  const burst = () =>
    mutate(
      { jobs },
      {
        onSuccess: ({ enqueued }) =>
          supervised
            ? toast.success(`Enqueueing ${count(enqueued, 'job')}`)
            : toast.warning(`${count(enqueued, 'job')} will be enqueued once a demo worker runs`),
        onError: (error) => toast.error('Could not enqueue the burst', { description: error.detail }),
      },
    );
  return (
    <Button
      pending={isPending}
      onClick={burst}
      className="px-2"
      aria-label={`Burst of ${fullNumber(jobs)} jobs`}
    >
      <Plus aria-hidden />
      {fullNumber(jobs)}
    </Button>
  );
}

function ReclaimButton() {
  const { mutate, isPending } = useLabReclaim();
  const reclaim = () =>
    mutate(undefined, {
      onSuccess: ({ reclaimed }) =>
        reclaimed === 0
          ? toast.info('No expired leases')
          : toast.success(`Reclaimed ${count(reclaimed, 'job')}`),
      onError: (error) => toast.error('Could not reclaim', { description: error.detail }),
    });
  return (
    <Button pending={isPending} onClick={reclaim} title="Return jobs with expired leases to ready">
      <Undo2 aria-hidden />
      Run reclaim sweep
    </Button>
  );
}
