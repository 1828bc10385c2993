'use client';
import { CopyRequest } from '@/components/shared/requests/copy-request';
import { useFilled } from '@/components/shared/requests/use-filled';
import { useMissingHandler } from '@/components/shared/use-missing-handler';
import { useOpenPage } from '@/components/shared/use-open-page';
import { Field, TextField } from '@/components/ui/controls/field';
import { Textarea } from '@/components/ui/controls/input';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { useEnqueue } from '@/lib/browser/jobs/use-jobs';
import { links } from '@/lib/browser/links';
import { type EnqueueResult, enqueueRequestJobSchema } from '@/lib/contract/jobs/envelope';
import { checkEnqueueForm, EMPTY_ENQUEUE_FORM, ENQUEUE_FIELDS, toEnqueueJob } from './enqueue-form';

export function EnqueueDialog({ queue, onClose }: { queue: string; onClose: () => void }) {
  const openPage = useOpenPage();
  const { mutate, isPending, error, requestOf } = useEnqueue();
  const form = useContractForm({
    schema: enqueueRequestJobSchema,
    defaultValues: useFilled(EMPTY_ENQUEUE_FORM),
    toRequest: toEnqueueJob,
    fields: ENQUEUE_FIELDS,
    check: checkEnqueueForm,
    error,
    onSubmit: (job) =>
      mutate(
        { queue, job },
        {
          onSuccess: ({ results }) => {
            onClose();
            for (const result of results) toastResult(result, () => openPage(links.job(queue, result.jobId)));
          },
        },
      ),
  });
  return (
    <FormDialog
      size="md"
      title={`Enqueue a job in ${queue}`}
      submitLabel="Enqueue"
      pending={isPending}
      error={form.error}
      secondary={
        <CopyRequest
          request={() => requestOf({ queue, job: form.request() })}
          filled={() => withoutPayload(form.values())}
        />
      }
      className="sm:grid-cols-2"
      onSubmit={form.submit}
      onClose={onClose}
    >
      <TextField
        label="Job type"
        warning={useMissingHandler(queue, form.watch('jobType'))}
        {...form.field('jobType')}
        autoFocus
        placeholder="email.send"
      />
      <TextField label="Tenant (optional)" {...form.field('tenantId')} placeholder="default" />
      <TextField
        label="Priority"
        hint="Higher runs first, −1000 to 1000"
        {...form.field('priority')}
        inputMode="numeric"
      />
      <TextField
        label="Delay in seconds"
        hint="0: ready immediately"
        {...form.field('delaySeconds')}
        inputMode="decimal"
      />
      <Field
        label="Payload (JSON, optional)"
        hint="Stored exactly as typed"
        error={form.problem('payload')}
        className="sm:col-span-2"
      >
        {(control) => (
          <Textarea
            {...control}
            {...form.register('payload')}
            rows={8}
            spellCheck={false}
            className="font-mono text-xs"
          />
        )}
      </Field>
    </FormDialog>
  );
}

const withoutPayload = ({ payload: _, ...values }: typeof EMPTY_ENQUEUE_FORM) => values;

function toastResult(result: EnqueueResult, open: () => void): void {
  const action = { label: 'Open', onClick: open };
  const description = result.jobId;
  if (result.outcome === 'ready') toast.success('Enqueued: ready', { description, action });
  else if (result.outcome === 'scheduled') toast.success('Enqueued: scheduled', { description, action });
  else if (result.outcome === 'duplicate') toast.info('This job already exists', { description, action });
  else toast.error('Not enqueued', { description: `${description}: ${result.outcome}` });
}
