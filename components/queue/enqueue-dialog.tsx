'use client';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';
import type { ApiError } from '@/lib/client/api';
import { links } from '@/lib/client/links';
import { useEnqueue } from '@/lib/client/use-enqueue';
import type { EnqueueResult } from '@/lib/contract/envelope';
import { EMPTY_ENQUEUE_FORM, type EnqueueForm, FORM_FIELD, readEnqueueForm } from './enqueue-input';

export function EnqueueDialog({
  queue,
  open,
  onOpenChange,
}: {
  queue: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <EnqueueContent queue={queue} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function EnqueueContent({ queue, onDone }: { queue: string; onDone: () => void }) {
  const formId = useId();
  const router = useRouter();
  const { mutate, isPending, error } = useEnqueue();
  const [form, setForm] = useState<EnqueueForm>(EMPTY_ENQUEUE_FORM);
  const [tried, setTried] = useState(false);
  const { job, errors } = readEnqueueForm(form);
  const problem = (field: keyof EnqueueForm) =>
    (tried ? errors?.[field] : undefined) ?? serverWords(error, field);
  const bind = (field: keyof EnqueueForm) => ({
    value: form[field],
    onChange: (event: { target: { value: string } }) =>
      setForm((before) => ({ ...before, [field]: event.target.value })),
  });
  const submit = () => {
    setTried(true);
    if (!job) return;
    mutate(
      { queue, job },
      {
        onSuccess: ({ results }) => {
          onDone();
          for (const result of results) say(result, () => router.push(links.job(queue, result.jobId)));
        },
      },
    );
  };
  return (
    <DialogContent
      title={`Enqueue a job in ${queue}`}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" pending={isPending}>
            Enqueue
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="grid gap-3 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Job type" error={problem('jobType')}>
          {(control) => <Input {...control} {...bind('jobType')} autoFocus placeholder="email.send" />}
        </Field>
        <Field label="Tenant (optional)" error={problem('tenantId')}>
          {(control) => <Input {...control} {...bind('tenantId')} placeholder="default" />}
        </Field>
        <Field label="Priority" hint="Higher goes first, −1000 to 1000" error={problem('priority')}>
          {(control) => <Input {...control} {...bind('priority')} inputMode="numeric" />}
        </Field>
        <Field label="Delay in seconds" hint="0 makes it ready now" error={problem('delaySeconds')}>
          {(control) => <Input {...control} {...bind('delaySeconds')} inputMode="decimal" />}
        </Field>
        <Field
          label="Payload (JSON, optional)"
          hint="Stored byte for byte as typed"
          error={problem('payload')}
          className="sm:col-span-2"
        >
          {(control) => (
            <Textarea
              {...control}
              {...bind('payload')}
              rows={8}
              spellCheck={false}
              className="font-mono text-xs"
            />
          )}
        </Field>
        {error && !placed(error) && (
          <Callout tone="bad" className="sm:col-span-2">
            {error.detail}
          </Callout>
        )}
      </form>
    </DialogContent>
  );
}

/** True when each complaint of the server stands beside its field. */
const placed = (error: ApiError): boolean =>
  error.fields.length > 0 && error.fields.every(({ field }) => (field.split('.').at(-1) ?? '') in FORM_FIELD);

function serverWords(error: ApiError | null, field: keyof EnqueueForm): string | undefined {
  if (!error) return undefined;
  for (const [asked, shown] of Object.entries(FORM_FIELD)) {
    const words = shown === field ? error.about(asked) : null;
    if (words) return words;
  }
  return undefined;
}

function say(result: EnqueueResult, open: () => void): void {
  const action = { label: 'Open', onClick: open };
  const description = result.jobId;
  if (result.outcome === 'ready') toast.success('Enqueued: ready', { description, action });
  else if (result.outcome === 'scheduled') toast.success('Enqueued: scheduled', { description, action });
  else if (result.outcome === 'duplicate') toast.info('That job exists already', { description, action });
  else toast.error('Not entered', { description: `${description}: ${result.outcome}` });
}
