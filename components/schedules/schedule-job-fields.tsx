'use client';
import { QueueField } from '@/components/shared/queue-field';
import { useMissingHandler } from '@/components/shared/use-missing-handler';
import { Field, TextField } from '@/components/ui/controls/field';
import { Textarea } from '@/components/ui/controls/input';
import { Select } from '@/components/ui/controls/select';
import { useQueueNames } from '@/lib/browser/queues/use-queue-names';
import { MASK } from '@/lib/contract/redaction/redaction-default';
import { SCHEDULE_GRACE_MS } from '@/lib/contract/schedules/schedule-limits';
import { duration } from '@/lib/format/duration';
import type { FieldsProps } from './schedule-timing-fields';

/** Queue and job of the schedule. */
export function JobFields({
  form: { field, register, problem, watch, setValue },
  jobVersion,
}: FieldsProps & { jobVersion: number }) {
  const [queue, payload, jobType] = watch(['queue', 'payload', 'jobType']);
  const missing = useMissingHandler(queue, jobType, jobVersion);
  const queues = useQueueNames(queue);
  return (
    <>
      <QueueField
        label="Queue"
        error={problem('queue')}
        placeholder="default"
        value={queue}
        names={queues.names}
        of={queues.of}
        onChange={(name) => setValue('queue', name, { shouldValidate: problem('queue') !== undefined })}
      />
      <TextField label="Job type" placeholder="report.make" warning={missing} {...field('jobType')} />
      <TextField label="Tenant" placeholder="default" {...field('tenantId')} />
      <div className="grid grid-cols-2 gap-3">
        <TextField label="Priority" inputMode="numeric" {...field('priority')} />
        <TextField label="Attempts" inputMode="numeric" {...field('maxAttempts')} />
      </div>
      <Field
        label="Payload"
        hint={
          payload.includes(MASK)
            ? `${MASK} stands for a hidden value. If you leave the payload unchanged, the stored value is kept.`
            : 'Stored byte for byte with every job'
        }
        error={problem('payload')}
        className="sm:col-span-2"
      >
        {(control) => (
          <Textarea
            {...control}
            {...register('payload')}
            rows={3}
            spellCheck={false}
            className="font-mono text-xs"
          />
        )}
      </Field>
    </>
  );
}

const MISSED = [
  { value: 'skip', label: 'Skip' },
  { value: 'one', label: 'Enqueue one job' },
  { value: 'all', label: 'Enqueue one job each (max. 1,000)' },
] as const;
const OVERLAP = [
  { value: 'allow', label: 'Start anyway' },
  { value: 'skip', label: 'Skip the next run' },
] as const;

/** Missed runs, overlaps and the reason. */
export function PolicyFields({ form: { field, register, problem } }: FieldsProps) {
  return (
    <>
      <Field
        label="Missed runs (while no worker was running)"
        hint={`A run up to ${duration(SCHEDULE_GRACE_MS)} late is not missed: it is enqueued, also with Skip.`}
        error={problem('missed')}
      >
        {(control) => <Select {...control} {...register('missed')} options={MISSED} />}
      </Field>
      <Field label="If the previous job has not finished" error={problem('overlap')}>
        {(control) => <Select {...control} {...register('overlap')} options={OVERLAP} />}
      </Field>
      <TextField
        label="Reason (optional)"
        fieldClassName="sm:col-span-2"
        maxLength={300}
        {...field('reason')}
      />
    </>
  );
}
