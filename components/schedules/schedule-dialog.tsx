'use client';
import { useId, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog';
import { ErrorState } from '@/components/ui/error-state';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Skeleton } from '@/components/ui/skeleton';
import type { ApiError } from '@/lib/client/api';
import { useChangeSchedule, useCreateSchedule, useSchedule } from '@/lib/client/use-schedules';
import type { Schedule, SchedulePatch, ScheduleRequest } from '@/lib/contract/schedules';
import { JobFields, PolicyFields } from './job-fields';
import { emptyForm, formField, formOf, previewOf, readForm, type ScheduleForm } from './schedule-form';
import { SlotsPreview, usePreviewed } from './slots-preview';
import { TimingFields } from './timing-fields';

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** A new schedule. */
export function CreateScheduleDialog({ onClose }: { onClose: () => void }) {
  const { mutate, isPending, error } = useCreateSchedule();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <ScheduleContent
        title="New schedule"
        confirm="Create schedule"
        old={null}
        pending={isPending}
        error={error}
        onSubmit={(request) =>
          mutate(request, {
            onSuccess: ({ id }) => {
              toast.success('Schedule created', { description: id });
              onClose();
            },
          })
        }
      />
    </Dialog>
  );
}

/** Changes a schedule, from what it is when this opens. */
export function EditScheduleDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: old, error, refetch, isFetching } = useSchedule(id);
  const change = useChangeSchedule();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      {old ? (
        <ScheduleContent
          key={old.generation}
          title={`Change ${id}`}
          description="Once it is changed, no run of the version before comes any more."
          confirm="Save changes"
          old={old}
          pending={change.isPending}
          error={change.error}
          onSubmit={(request) => {
            const patch = changesOf(request, old);
            if (Object.keys(patch).every((key) => key === 'reason')) return onClose();
            change.mutate(
              { id, patch },
              {
                onSuccess: () => {
                  toast.success('Schedule changed', { description: id });
                  onClose();
                },
              },
            );
          }}
        />
      ) : (
        <DialogContent title={`Change ${id}`}>
          {error ? (
            <ErrorState
              title="The schedule could not be loaded"
              message={error.detail}
              retrying={isFetching}
              onRetry={() => void refetch()}
            />
          ) : (
            <Skeleton className="h-60 w-full" />
          )}
        </DialogContent>
      )}
    </Dialog>
  );
}

/** Only what is different, so that somebody else's change of another field stays. */
function changesOf({ id: _, reason, ...request }: ScheduleRequest, old: Schedule): SchedulePatch {
  const differs = ([key, value]: [string, unknown]) => !equal(value, old[key as keyof Schedule]);
  return { ...Object.fromEntries(Object.entries(request).filter(differs)), reason };
}
function equal(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => equal(left[key], right[key]));
}

interface ContentProps {
  title: string;
  description?: string;
  confirm: string;
  old: Schedule | null;
  pending: boolean;
  error: ApiError | null;
  onSubmit: (request: ScheduleRequest) => void;
}

function ScheduleContent({ title, description, confirm, old, pending, error, onSubmit }: ContentProps) {
  const formId = useId();
  const [form, setForm] = useState<ScheduleForm>(() => (old ? formOf(old, ownZone()) : emptyForm(ownZone())));
  const [tried, setTried] = useState(false);
  const { request, errors } = readForm(form, old);
  const previewed = usePreviewed(previewOf(form));
  const set = (patch: Partial<ScheduleForm>) => setForm((before) => ({ ...before, ...patch }));
  const problem = (field: keyof ScheduleForm) =>
    (tried ? errors?.[field] : undefined) ?? serverWords(error, field) ?? serverWords(previewed.error, field);
  return (
    <DialogContent
      size="lg"
      title={title}
      description={description}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" pending={pending}>
            {confirm}
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
          setTried(true);
          if (request && !pending) onSubmit(request);
        }}
      >
        {!old && (
          <Field
            label="Id"
            hint="Its jobs' ids begin with it"
            error={problem('id')}
            className="sm:col-span-2"
          >
            {(control) => (
              <Input
                {...control}
                autoFocus
                className="font-mono"
                placeholder="nightly-report"
                value={form.id}
                onChange={(event) => set({ id: event.target.value })}
              />
            )}
          </Field>
        )}
        <TimingFields form={form} set={set} problem={problem} />
        <div className="sm:col-span-2">
          <SlotsPreview {...previewed} />
        </div>
        <JobFields form={form} set={set} problem={problem} />
        <PolicyFields form={form} set={set} problem={problem} />
        {error && !placed(error) && (
          <Callout tone="bad" className="sm:col-span-2">
            {error.detail}
          </Callout>
        )}
      </form>
    </DialogContent>
  );
}

function serverWords(error: ApiError | null, field: keyof ScheduleForm): string | undefined {
  return error?.fields.find((one) => formField(one.field) === field)?.message;
}

/** True when each complaint of the server stands beside its field. */
const placed = (error: ApiError): boolean =>
  error.fields.length > 0 && error.fields.every(({ field }) => formField(field) !== undefined);
