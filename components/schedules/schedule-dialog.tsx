'use client';
import { LoadError } from '@/components/shared/load-error';
import { CopyRequest } from '@/components/shared/requests/copy-request';
import { useFilled } from '@/components/shared/requests/use-filled';
import { TextField } from '@/components/ui/controls/field';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { FormDialog } from '@/components/ui/overlays/form-dialog';
import { toast } from '@/components/ui/overlays/toast';
import { Skeleton } from '@/components/ui/skeleton';
import { isTimeZone, useTimeZone } from '@/components/ui/text/time-zone-choice';
import type { ApiError } from '@/lib/browser/api/api-client';
import type { ApiWrite } from '@/lib/browser/api/query-defaults';
import { useContractForm } from '@/lib/browser/api/use-contract-form';
import { useChangeSchedule, useCreateSchedule, useSchedule } from '@/lib/browser/use-schedules';
import {
  type Schedule,
  type SchedulePatch,
  type ScheduleRequest,
  scheduleRequestSchema,
} from '@/lib/contract/schedules/schedule-schemas';
import { FireTimePreview, useFireTimePreview } from './fire-time-preview';
import {
  checkScheduleForm,
  emptyScheduleForm,
  previewRequest,
  SCHEDULE_FIELDS,
  type ScheduleForm,
  scheduleToForm,
  toScheduleRequest,
} from './schedule-form';
import { JobFields, PolicyFields } from './schedule-job-fields';
import { TimingFields } from './schedule-timing-fields';

/** A new schedule. */
export function CreateScheduleDialog({ onClose }: { onClose: () => void }) {
  const { mutate, isPending, error, requestOf } = useCreateSchedule();
  return (
    <ScheduleContent
      title="New schedule"
      onClose={onClose}
      confirm="Create schedule"
      old={null}
      pending={isPending}
      error={error}
      requestOf={requestOf}
      onSubmit={(request) =>
        mutate(request, {
          onSuccess: ({ id }) => {
            toast.success('Schedule created', { description: id });
            onClose();
          },
        })
      }
    />
  );
}

/** Changes a schedule. */
export function EditScheduleDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useSchedule(id);
  const { data: old, error } = query;
  const change = useChangeSchedule();
  if (old)
    return (
      <ScheduleContent
        key={old.generation}
        onClose={onClose}
        title={`Change ${id}`}
        description="Pending runs of the previous version are dropped."
        confirm="Save changes"
        old={old}
        pending={change.isPending}
        error={change.error}
        requestOf={(request) => change.requestOf({ id, patch: changesOf(request, old) })}
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
    );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={`Change ${id}`}>
        {error ? (
          <LoadError title="The schedule could not be loaded" query={query} />
        ) : (
          <Skeleton className="h-60 w-full" />
        )}
      </DialogContent>
    </Dialog>
  );
}

/** Only changed fields, so that concurrent changes of other fields stay. */
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
  requestOf: (request: ScheduleRequest) => ApiWrite;
  onSubmit: (request: ScheduleRequest) => void;
  onClose: () => void;
}

const withoutPayload = ({ payload: _, ...values }: ScheduleForm) => values;

function ScheduleContent({ confirm, old, requestOf, onSubmit, ...dialog }: ContentProps) {
  const zone = useTimeZone();
  const form = useContractForm({
    schema: scheduleRequestSchema,
    defaultValues: useFilled(old ? scheduleToForm(old, zone) : emptyScheduleForm(zone), ({ boundsZone }) =>
      isTimeZone(boundsZone),
    ),
    toRequest: (values) => toScheduleRequest(values, old),
    fields: SCHEDULE_FIELDS,
    check: checkScheduleForm,
    error: dialog.error,
    onSubmit,
  });
  const previewed = useFireTimePreview(previewRequest(form.watch()));
  const problem: typeof form.problem = (field) =>
    form.problem(field) ??
    previewed.error?.fields.find((refused) => form.fieldOf(refused.field) === field)?.message;
  const fields: typeof form = {
    ...form,
    problem,
    field: (name) => ({ ...form.field(name), error: problem(name) }),
  };
  return (
    <FormDialog
      {...dialog}
      size="lg"
      submitLabel={confirm}
      error={form.error}
      secondary={
        <CopyRequest request={() => requestOf(form.request())} filled={() => withoutPayload(form.values())} />
      }
      className="sm:grid-cols-2"
      onSubmit={form.submit}
    >
      {!old && (
        <TextField
          label="Id"
          hint="The ids of its jobs begin with it"
          fieldClassName="sm:col-span-2"
          autoFocus
          className="font-mono"
          placeholder="nightly-report"
          {...fields.field('id')}
        />
      )}
      <TimingFields form={fields} />
      <div className="sm:col-span-2">
        <FireTimePreview {...previewed} />
      </div>
      <JobFields form={fields} jobVersion={old?.job.jobVersion ?? 1} />
      <PolicyFields form={fields} />
    </FormDialog>
  );
}
