/** What the enqueue form holds and what it asks of the server. Pure, so that it is tested without a browser. */
import type { EnqueueJobInput } from '@/lib/client/use-enqueue';
import { enqueueRequestJobSchema } from '@/lib/contract/envelope';

export interface EnqueueForm {
  jobType: string;
  tenantId: string;
  priority: string;
  delaySeconds: string;
  payload: string;
}
export type EnqueueFormErrors = Partial<Record<keyof EnqueueForm, string>>;

export const EMPTY_ENQUEUE_FORM: EnqueueForm = {
  jobType: '',
  tenantId: '',
  priority: '0',
  delaySeconds: '0',
  payload: '{\n  \n}',
};

/** Which field of the form a field of the request comes from. */
export const FORM_FIELD = {
  jobType: 'jobType',
  tenantId: 'tenantId',
  priority: 'priority',
  delayMs: 'delaySeconds',
  payload: 'payload',
  payloadText: 'payload',
} as const satisfies Record<string, keyof EnqueueForm>;

/** The payload goes as the text that was typed, so that no number in it is rounded on the way. */
export function readEnqueueForm(
  form: EnqueueForm,
): { job: EnqueueJobInput; errors: null } | { job: null; errors: EnqueueFormErrors } {
  const errors: EnqueueFormErrors = {};
  const payloadText = form.payload.trim() === '' ? undefined : form.payload;
  if (payloadText !== undefined) {
    const wrong = jsonProblem(payloadText);
    if (wrong) errors.payload = wrong;
  }
  const delayMs = Math.round(Number(form.delaySeconds) * 1_000);
  const job: EnqueueJobInput = {
    jobType: form.jobType.trim(),
    tenantId: form.tenantId.trim() || undefined,
    priority: Number(form.priority),
    delayMs: delayMs === 0 ? undefined : delayMs,
    payloadText,
  };
  const parsed = enqueueRequestJobSchema.safeParse(job);
  for (const issue of parsed.error?.issues ?? []) {
    const field = FORM_FIELD[String(issue.path[0]) as keyof typeof FORM_FIELD];
    if (field) errors[field] ??= issue.message;
  }
  return Object.keys(errors).length > 0 ? { job: null, errors } : { job, errors: null };
}

function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
}
