/** The pause form: its options, and the request for what was typed; pure. */
import type { z } from 'zod';
import { nameSchema } from '@/lib/contract/name-schemas';
import type { pauseRequestSchema } from '@/lib/contract/queues/pause-schemas';

const MINUTE_MS = 60_000;
const MINUTES_MAX = 30 * 24 * 60;

export const SCOPES = [
  { value: 'queue', label: 'Whole queue' },
  { value: 'tenant', label: 'Tenant' },
  { value: 'type', label: 'Job type' },
] as const;
export type ScopeKind = (typeof SCOPES)[number]['value'];

export const RESUMES = [
  { value: 'never', label: 'Never' },
  { value: '15', label: '15 m' },
  { value: '60', label: '1 h' },
  { value: '480', label: '8 h' },
  { value: 'custom', label: 'Custom' },
] as const;

export interface PauseForm {
  kind: ScopeKind;
  name: string;
  reason: string;
  after: (typeof RESUMES)[number]['value'];
  customMinutes: string;
}
export const EMPTY_PAUSE_FORM: PauseForm = {
  kind: 'queue',
  name: '',
  reason: '',
  after: 'never',
  customMinutes: '30',
};

const minutesOf = ({ after, customMinutes }: PauseForm): number =>
  Number(after === 'custom' ? customMinutes : after);

export const toPauseRequest = (form: PauseForm): z.input<typeof pauseRequestSchema> => ({
  scope: form.kind === 'queue' ? 'queue' : `${form.kind}:${form.name.trim()}`,
  reason: form.reason.trim(),
  forMs: form.after === 'never' ? undefined : Math.round(minutesOf(form) * MINUTE_MS),
});

/** What the schema says less well: it knows neither the name alone nor minutes. */
export function checkPauseForm(form: PauseForm): { name?: string; customMinutes?: string } {
  const name = form.kind === 'queue' ? null : nameSchema.safeParse(form.name.trim());
  const minutes = minutesOf(form);
  return {
    ...(name?.success === false && {
      name: form.name.trim() === '' ? 'must not be empty' : name.error.issues[0]?.message,
    }),
    ...(form.after === 'custom' &&
      !(minutes >= 1 && minutes <= MINUTES_MAX) && { customMinutes: 'must be between 1 minute and 30 days' }),
  };
}

/** "Pause mail", "Pause a tenant of mail", "Pause tenant acme of mail": what the dialog stops. */
export function pauseTitle(queue: string, kind: PauseForm['kind'], name: string): string {
  if (kind === 'queue') return `Pause ${queue}`;
  const what = kind === 'tenant' ? 'tenant' : 'job type';
  return name.trim() === '' ? `Pause a ${what} of ${queue}` : `Pause ${what} ${name.trim()} of ${queue}`;
}
