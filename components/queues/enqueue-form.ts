/** The enqueue form: its fields, and the job for what was typed; pure. */
import type { EnqueueJobInput } from '@/lib/browser/jobs/use-jobs';

export const EMPTY_ENQUEUE_FORM = {
  jobType: '',
  tenantId: '',
  priority: '0',
  delaySeconds: '0',
  payload: '{\n  \n}',
};
type EnqueueForm = typeof EMPTY_ENQUEUE_FORM;

/** The form's field for a field of the request, where their names differ. */
export const ENQUEUE_FIELDS = { delayMs: 'delaySeconds', payloadText: 'payload' } as const;

/** The payload is sent as the text that was typed, so that no number in it is rounded. */
export function toEnqueueJob(form: EnqueueForm): EnqueueJobInput {
  const delayMs = Math.round(Number(form.delaySeconds) * 1_000);
  return {
    jobType: form.jobType.trim(),
    tenantId: form.tenantId.trim() || undefined,
    priority: Number(form.priority),
    delayMs: delayMs === 0 ? undefined : delayMs,
    payloadText: form.payload.trim() === '' ? undefined : form.payload,
  };
}

export function checkEnqueueForm({ payload }: EnqueueForm): { payload?: string } {
  if (payload.trim() === '') return {};
  try {
    JSON.parse(payload);
    return {};
  } catch (error) {
    return { payload: `is not JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}` };
  }
}
