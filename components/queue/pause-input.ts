/** What the pause form holds and what it asks of the server. Pure, so that it is tested without a browser. */
import type { PauseInput } from '@/lib/client/use-pause';
import { nameSchema, reasonSchema } from '@/lib/contract/names';
import type { PauseScope } from '@/lib/contract/queue';

const MINUTE_MS = 60_000;

export const SCOPES = [
  { value: 'queue', label: 'Whole queue' },
  { value: 'tenant', label: 'Tenant' },
  { value: 'type', label: 'Job type' },
] as const;
export type ScopeKind = (typeof SCOPES)[number]['value'];

export const RESUMES = [
  { value: 'hand', label: 'Never' },
  { value: '15', label: '15 m' },
  { value: '60', label: '1 h' },
  { value: '480', label: '8 h' },
  { value: 'custom', label: 'Custom' },
] as const;
export type ResumeAfter = (typeof RESUMES)[number]['value'];

export interface PauseForm {
  kind: ScopeKind;
  name: string;
  reason: string;
  after: ResumeAfter;
  customMinutes: string;
}
export type PauseFormErrors = Partial<Record<'name' | 'reason' | 'customMinutes', string>>;

export const EMPTY_PAUSE_FORM: PauseForm = {
  kind: 'queue',
  name: '',
  reason: '',
  after: 'hand',
  customMinutes: '30',
};

/** Either the request, or what is wrong with the form. */
export function readPauseForm(
  queue: string,
  form: PauseForm,
): { input: PauseInput; errors: null } | { input: null; errors: PauseFormErrors } {
  const errors: PauseFormErrors = {};
  const name = nameSchema.safeParse(form.name.trim());
  if (form.kind !== 'queue' && !name.success) {
    errors.name = form.name.trim() === '' ? 'must not be empty' : name.error.issues[0]?.message;
  }
  const reason = reasonSchema.safeParse(form.reason);
  if (!reason.success) errors.reason = reason.error.issues[0]?.message;
  const minutes = form.after === 'custom' ? Number(form.customMinutes) : Number(form.after);
  if (form.after === 'custom' && !(minutes >= 1 && minutes <= 30 * 24 * 60)) {
    errors.customMinutes = 'must be between 1 minute and 30 days';
  }
  if (Object.keys(errors).length > 0 || !reason.success) return { input: null, errors };
  const scope: PauseScope = form.kind === 'queue' ? 'queue' : `${form.kind}:${form.name.trim()}`;
  const forMs = form.after === 'hand' ? undefined : Math.round(minutes * MINUTE_MS);
  return { input: { queue, scope, reason: reason.data, forMs }, errors: null };
}
