'use client';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Segmented } from '@/components/ui/segmented';
import type { ApiError } from '@/lib/client/api';
import { scopeWords } from '@/lib/client/pauses';
import { usePause } from '@/lib/client/use-pause';
import type { QueueSnapshot } from '@/lib/contract/queue';
import { count } from '@/lib/format/plural';
import {
  EMPTY_PAUSE_FORM,
  type PauseForm,
  RESUMES,
  readPauseForm,
  SCOPES,
  type ScopeKind,
} from './pause-input';

interface Props {
  queue: QueueSnapshot;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Stops a queue, one tenant or one job type, with a reason, and a time at which it resumes by itself if wanted. */
export function PauseDialog({ queue, open, onOpenChange }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <PauseContent queue={queue} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function PauseContent({ queue, onDone }: { queue: QueueSnapshot; onDone: () => void }) {
  const formId = useId();
  const { mutate, isPending, error } = usePause();
  const [form, setForm] = useState<PauseForm>(EMPTY_PAUSE_FORM);
  const [tried, setTried] = useState(false);
  const { input, errors } = readPauseForm(queue.queue, form);
  const shown = tried ? errors : null;
  const set = (patch: Partial<PauseForm>) => setForm((before) => ({ ...before, ...patch }));
  const submit = () => {
    setTried(true);
    if (!input) return;
    mutate(input, {
      onSuccess: () => {
        toast.success(
          `Paused ${input.scope && input.scope !== 'queue' ? scopeWords(input.scope) : queue.queue}`,
        );
        onDone();
      },
    });
  };
  return (
    <DialogContent
      size="sm"
      title={`Pause ${queue.queue}`}
      description={consequence(form.kind, queue)}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" pending={isPending}>
            {LABELS[form.kind]}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Segmented
          label="What to pause"
          value={form.kind}
          options={SCOPES}
          onChange={(kind) => set({ kind })}
        />
        {form.kind !== 'queue' && (
          <Field label={form.kind === 'tenant' ? 'Tenant id' : 'Job type'} error={shown?.name}>
            {(control) => (
              <Input
                {...control}
                className="font-mono"
                placeholder={form.kind === 'tenant' ? 'acme' : 'email.send'}
                value={form.name}
                onChange={(event) => set({ name: event.target.value })}
              />
            )}
          </Field>
        )}
        <Field
          label="Reason"
          hint="Shown to everyone, on every page, while the pause lasts."
          error={shown?.reason ?? error?.about('reason')}
        >
          {(control) => (
            <Input
              {...control}
              autoFocus
              maxLength={300}
              placeholder="Mail provider answers 503"
              value={form.reason}
              onChange={(event) => set({ reason: event.target.value })}
            />
          )}
        </Field>
        <div className="space-y-1">
          <p className="font-medium text-xs">Resumes by itself after</p>
          <Segmented
            label="Resumes by itself after"
            value={form.after}
            options={RESUMES}
            onChange={(after) => set({ after })}
          />
        </div>
        {form.after === 'custom' && (
          <Field label="Minutes" error={shown?.customMinutes ?? error?.about('forMs')}>
            {(control) => (
              <Input
                {...control}
                className="w-28"
                inputMode="numeric"
                value={form.customMinutes}
                onChange={(event) => set({ customMinutes: event.target.value })}
              />
            )}
          </Field>
        )}
        {error && !placed(error) && <Callout tone="bad">{error.detail}</Callout>}
      </form>
    </DialogContent>
  );
}

/** True when each complaint of the server stands beside its field. */
const placed = (error: ApiError): boolean =>
  error.fields.length > 0 && error.fields.every(({ field }) => field === 'reason' || field === 'forMs');

const LABELS: Readonly<Record<ScopeKind, string>> = {
  queue: 'Pause queue',
  tenant: 'Pause tenant',
  type: 'Pause job type',
};

function consequence(kind: ScopeKind, { counts }: QueueSnapshot): string {
  const running = `${count(counts['in-flight'], 'job')} in flight`;
  if (kind === 'queue') {
    return `${count(counts.ready, 'ready job')} will wait; ${running} may end. New jobs are still accepted and nothing is lost.`;
  }
  const whose = kind === 'tenant' ? 'The ready jobs of this tenant' : 'The ready jobs of this type';
  return `${whose} are held; those in flight may end. Everything else in the queue goes on.`;
}
