'use client';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import { QueueField } from '@/components/ui/queue-field';
import { Select } from '@/components/ui/select';
import { useQueueNames } from '@/lib/client/use-queue-names';
import { MASK } from '@/lib/contract/redaction';
import type { ScheduleForm } from './schedule-form';
import type { FieldsProps } from './timing-fields';

/** Where the job goes and what it is. */
export function JobFields({ form, set, problem }: FieldsProps) {
  const queues = useQueueNames(form.queue);
  const bind = (field: 'jobType' | 'tenantId' | 'priority' | 'maxAttempts' | 'payload') => ({
    value: form[field],
    onChange: (event: { target: { value: string } }) =>
      set({ [field]: event.target.value } as Partial<ScheduleForm>),
  });
  return (
    <>
      <QueueField
        label="Queue"
        error={problem('queue')}
        placeholder="default"
        value={form.queue}
        names={queues.names}
        of={queues.of}
        onChange={(queue) => set({ queue })}
      />
      <Field label="Job type" error={problem('jobType')}>
        {(control) => <Input {...control} {...bind('jobType')} placeholder="report.make" />}
      </Field>
      <Field label="Tenant" error={problem('tenantId')}>
        {(control) => <Input {...control} {...bind('tenantId')} placeholder="default" />}
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Priority" error={problem('priority')}>
          {(control) => <Input {...control} {...bind('priority')} inputMode="numeric" />}
        </Field>
        <Field label="Attempts" error={problem('maxAttempts')}>
          {(control) => <Input {...control} {...bind('maxAttempts')} inputMode="numeric" />}
        </Field>
      </div>
      <Field
        label="Payload"
        hint={
          form.payload.includes(MASK)
            ? `${MASK} stands for a hidden value. As long as the payload is left as it is, it stays as it is stored.`
            : 'Stored byte for byte with every job'
        }
        error={problem('payload')}
        className="sm:col-span-2"
      >
        {(control) => (
          <Textarea
            {...control}
            {...bind('payload')}
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
  { value: 'skip', label: 'Leave them out' },
  { value: 'one', label: 'One job for all of them' },
  { value: 'all', label: 'One job each (at most 1,000)' },
] as const;
const OVERLAP = [
  { value: 'allow', label: 'Enter the next all the same' },
  { value: 'skip', label: 'Leave the next out' },
] as const;

/** What to do when things do not go by the clock. */
export function PolicyFields({ form, set, problem }: FieldsProps) {
  return (
    <>
      <Field label="Runs missed while nothing ticked" error={problem('missed')}>
        {(control) => (
          <Select
            {...control}
            options={MISSED}
            value={form.missed}
            onChange={(event) => set({ missed: event.target.value as ScheduleForm['missed'] })}
          />
        )}
      </Field>
      <Field label="While the job before is still to be done" error={problem('overlap')}>
        {(control) => (
          <Select
            {...control}
            options={OVERLAP}
            value={form.overlap}
            onChange={(event) => set({ overlap: event.target.value as ScheduleForm['overlap'] })}
          />
        )}
      </Field>
      <Field label="Reason (optional)" error={problem('reason')} className="sm:col-span-2">
        {(control) => (
          <Input
            {...control}
            maxLength={300}
            value={form.reason}
            onChange={(event) => set({ reason: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
