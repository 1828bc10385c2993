/** The form of a silence: its options, and the request for what was typed; pure. */
import type { z } from 'zod';
import type { Alert, silenceRequestSchema } from '@/lib/contract/alerts/alert-schemas';
import { DAY_MS } from '@/lib/contract/time-units';

const MINUTE_MS = 60_000;
const MINUTES_MAX = (30 * DAY_MS) / MINUTE_MS;

export const PERIODS = [
  { value: '60', label: '1 h' },
  { value: '240', label: '4 h' },
  { value: '1440', label: '24 h' },
  { value: '10080', label: '7 d' },
  { value: 'custom', label: 'Custom' },
] as const;

export interface SilenceForm {
  code: string;
  queue: string;
  reason: string;
  period: (typeof PERIODS)[number]['value'];
  customMinutes: string;
}

/** @param alert about one queue: only that one is silenced, unless the user empties the field */
export const emptySilenceForm = (alert?: Pick<Alert, 'code' | 'queues'>): SilenceForm => ({
  code: alert?.code ?? '',
  queue: alert?.queues.total === 1 ? (alert.queues.named[0] ?? '') : '',
  reason: '',
  period: '60',
  customMinutes: '30',
});

const minutesOf = ({ period, customMinutes }: SilenceForm): number =>
  Number(period === 'custom' ? customMinutes : period);

export const toSilenceRequest = (form: SilenceForm): z.input<typeof silenceRequestSchema> => ({
  code: form.code || undefined,
  queue: form.queue.trim() || undefined,
  reason: form.reason.trim(),
  forMs: Math.round(minutesOf(form) * MINUTE_MS),
});

/** What the schema says less well: it does not know minutes. */
export function checkSilenceForm(form: SilenceForm): { customMinutes?: string } {
  const minutes = minutesOf(form);
  return form.period === 'custom' && !(minutes >= 1 && minutes <= MINUTES_MAX)
    ? { customMinutes: 'must be between 1 minute and 30 days' }
    : {};
}
