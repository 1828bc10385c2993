'use client';
import { useState } from 'react';
import { ConfirmWrite } from '@/components/shared/confirm-write';
import { Field } from '@/components/ui/controls/field';
import { Segmented } from '@/components/ui/controls/segmented';
import { Select } from '@/components/ui/controls/select';
import { toast } from '@/components/ui/overlays/toast';
import { useRequestWorkers } from '@/lib/browser/use-request-workers';
import type { WorkerAction } from '@/lib/contract/workers/worker-requests';
import type { Worker } from '@/lib/contract/workers/worker-schemas';
import { count } from '@/lib/format/plural';
import { requestResult, workerChoices } from './worker-choices';

export const ACTION_LABELS: Readonly<Record<WorkerAction, string>> = {
  quiet: 'Quiet',
  resume: 'Resume',
  stop: 'Stop',
};
const CONSEQUENCES: Readonly<Record<WorkerAction, string>> = {
  quiet: 'Claims no new jobs and finishes those in flight. The process stays until it is resumed or stopped.',
  resume: 'Claims jobs again.',
  stop: 'Claims no new jobs, finishes those in flight within its drain time and returns the others. Then its process exits with code 0. Kubernetes, systemd or another supervisor may start a new one.',
};

/** Quiets, resumes or stops one worker. */
export function WorkerRequestDialog({
  worker,
  action,
  onClose,
}: {
  worker: Worker;
  action: WorkerAction;
  onClose: () => void;
}) {
  return (
    <RequestDialog
      title={`${ACTION_LABELS[action]} ${worker.workerId}?`}
      action={action}
      workers={[worker]}
      onClose={onClose}
    />
  );
}

/** The same for all of a group. @param first chosen already @param left live workers that the user cannot ask */
export function WorkerGroupDialog({
  first,
  workers,
  left,
  onClose,
}: {
  first: WorkerAction;
  workers: readonly Worker[];
  left: number;
  onClose: () => void;
}) {
  const [action, setAction] = useState<WorkerAction>(first);
  const [value, setValue] = useState('all');
  const choices = workerChoices(workers);
  const chosen = choices.find((choice) => choice.value === value) ?? choices[0];
  return (
    <RequestDialog
      title="Quiet, resume or stop workers"
      action={action}
      workers={chosen?.workers ?? []}
      left={left}
      onClose={onClose}
    >
      <Segmented
        label="What to ask for"
        value={action}
        options={(['quiet', 'resume', 'stop'] as const).map((one) => ({
          value: one,
          label: ACTION_LABELS[one],
        }))}
        onChange={setAction}
      />
      <Field label="Workers">
        {(control) => (
          <Select
            {...control}
            value={chosen?.value}
            options={choices.map((choice) => ({ value: choice.value, label: choice.label }))}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
    </RequestDialog>
  );
}

function RequestDialog({
  title,
  action,
  workers,
  left = 0,
  onClose,
  children,
}: {
  title: string;
  action: WorkerAction;
  workers: readonly Worker[];
  left?: number;
  onClose: () => void;
  children?: React.ReactNode;
}) {
  const jobs = workers.reduce((sum, worker) => sum + worker.jobs.length, 0);
  return (
    <ConfirmWrite
      title={title}
      description={CONSEQUENCES[action]}
      facts={[
        { label: 'Workers', value: count(workers.length, 'worker') },
        { label: 'In flight', value: count(jobs, 'job') },
        ...(left > 0 ? [{ label: 'Not included', value: `${count(left, 'worker')} you cannot ask` }] : []),
      ]}
      confirmLabel={ACTION_LABELS[action]}
      destructive={action === 'stop'}
      reason="required"
      write={useRequestWorkers()}
      input={(reason) => ({ action, workers: workers.map(({ workerId }) => workerId), reason })}
      onDone={(reply) => toast.success(requestResult(action, reply))}
      onClose={onClose}
    >
      {children}
    </ConfirmWrite>
  );
}
