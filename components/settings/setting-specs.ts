/** Every field of the settings form: label, unit, hint and what an empty field means. */
import type { QueueConfig } from '@/lib/contract/queues/queue-config';

export type FieldKind = 'count' | 'percent' | 'duration' | 'bytes';
/** The settings that are one number. */
export type ScalarKey = {
  [Key in keyof QueueConfig]: QueueConfig[Key] extends number | null ? Key : never;
}[keyof QueueConfig];

interface ScalarSpec {
  readonly label: string;
  readonly kind: FieldKind;
  readonly hint: string;
  /** Meaning of an empty field; null: required. */
  readonly none: string | null;
  /** Shown after the number. */
  readonly unit?: string;
  readonly example: string;
}

export const SCALARS: Readonly<Record<ScalarKey, ScalarSpec>> = {
  depthLimit: {
    label: 'Depth limit',
    kind: 'count',
    unit: 'jobs',
    hint: 'Max. ready, scheduled, retry and held jobs together. Above it new jobs are rejected.',
    none: 'no limit',
    example: '10,000',
  },
  shedAtPercent: {
    label: 'Shed non-critical jobs at',
    kind: 'percent',
    hint: 'Percentage of the depth limit. Above it jobs marked critical: false are rejected.',
    none: 'never',
    example: '80%',
  },
  concurrency: {
    label: 'Concurrency',
    kind: 'count',
    unit: 'at once',
    hint: 'Max. jobs of this queue in flight, across all workers.',
    none: 'no limit',
    example: '20',
  },
  objectiveAgeMs: {
    label: 'Max. age',
    kind: 'duration',
    hint: 'Of the oldest ready job. Longer is a warning on the overview, twice as long a problem.',
    none: null,
    example: '2m',
  },
  objectiveFailurePercent: {
    label: 'Max. failure rate',
    kind: 'percent',
    hint: 'Of runs, lost ones included. More is a warning on the overview, twice as much a problem.',
    none: null,
    example: '20%',
  },
  objectiveDepth: {
    label: 'Max. depth',
    kind: 'count',
    unit: 'jobs',
    hint: 'Ready, scheduled, retry and held jobs together. More is a warning, twice as many a problem; none is rejected.',
    none: 'no objective',
    example: '5,000',
  },
  maxDeliveries: {
    label: 'Max. lost runs',
    kind: 'count',
    unit: 'lost runs',
    hint: 'After this many worker crashes during its runs a job is dead (class crash).',
    none: null,
    example: '5',
  },
  completedKeep: {
    label: 'Completed jobs kept',
    kind: 'count',
    unit: 'jobs',
    hint: 'Number of newest jobs to keep. 0 keeps none.',
    none: null,
    example: '1,000',
  },
  completedKeepMs: {
    label: 'Completed kept for',
    kind: 'duration',
    hint: 'The first of the three limits reached applies.',
    none: 'no limit',
    example: '7d',
  },
  completedKeepBytes: {
    label: 'Completed kept up to',
    kind: 'bytes',
    hint: 'Total size of payloads and envelopes of completed jobs.',
    none: 'no limit',
    example: '64 MiB',
  },
  resendWindowMs: {
    label: 'Deduplication window',
    kind: 'duration',
    hint: 'A job id that is sent again within this time after its job left the queue is not run again.',
    none: null,
    example: '10m',
  },
  deadKeepMs: {
    label: 'Dead letters kept for',
    kind: 'duration',
    hint: 'Then they are deleted permanently. The overview warns a day ahead.',
    none: 'forever',
    example: '30d',
  },
  trashGraceMs: {
    label: 'Trash kept for',
    kind: 'duration',
    hint: 'How long a purged job can be restored.',
    none: null,
    example: '1h',
  },
};
export const SCALAR_KEYS = Object.keys(SCALARS) as ScalarKey[];

interface ControlSpec {
  readonly label: string;
  readonly kind: 'rate' | 'switch' | 'choice' | 'count';
  readonly hint: string;
  /** The default in words. */
  readonly none: string;
  readonly unit?: string;
  readonly example?: string;
  readonly options?: readonly { value: string; label: string }[];
}
/** Settings with a control of their own. The name is the path in the draft. */
const CONTROLS = {
  rate: {
    label: 'Rate',
    kind: 'rate',
    hint: 'Max. claims; a retry counts again. Write 10/s, 90/min or 5/h.',
    none: 'no limit',
  },
  'tenantLimit.concurrency': {
    label: 'Concurrency per tenant',
    kind: 'count',
    hint: 'Max. jobs of one tenant in flight. Further jobs are held until one finishes.',
    none: 'no limit',
    unit: 'at once',
    example: '5',
  },
  'tenantLimit.rate': {
    label: 'Rate per tenant',
    kind: 'rate',
    hint: 'Max. claims of one tenant.',
    none: 'no limit',
  },
  fair: {
    label: 'Fairness',
    kind: 'choice',
    hint: 'Fair per tenant: tenants take turns, so one tenant with many jobs does not delay the others.',
    none: 'FIFO',
    options: [
      { value: 'none', label: 'FIFO' },
      { value: 'tenant', label: 'Fair per tenant' },
    ],
  },
  purgeNeedsApproval: {
    label: 'Require approval for purge',
    kind: 'switch',
    hint: 'Actions that delete jobs of this queue or overwrite their payloads start only after another user approves them. Reducing retention then requires an administrator.',
    none: 'not required',
  },
} as const satisfies Record<string, ControlSpec>;
export type FieldName = ScalarKey | keyof typeof CONTROLS;
export const FIELDS: Readonly<Record<FieldName, ScalarSpec | ControlSpec>> = { ...SCALARS, ...CONTROLS };

/** Labels of all settings. */
export const SETTING_LABELS: Readonly<Record<keyof QueueConfig, string>> = {
  ...(Object.fromEntries(SCALAR_KEYS.map((key) => [key, SCALARS[key].label])) as Record<ScalarKey, string>),
  rate: CONTROLS.rate.label,
  tenantLimit: 'Limit per tenant',
  tenantLimits: 'Tenant',
  fair: CONTROLS.fair.label,
  purgeNeedsApproval: CONTROLS.purgeNeedsApproval.label,
  redact: 'Hide',
  retry: 'Retries',
  retryByType: 'Retries of',
};

export const RETRY_CLASSES = [
  'retryable',
  'rate-limited',
  'permanent',
  'malformed',
  'unsupported-version',
] as const;
export type RetryClass = (typeof RETRY_CLASSES)[number];

export const CURVES = [
  { value: 'inherit', label: 'Default' },
  { value: 'exponential', label: 'Exponential' },
  { value: 'linear', label: 'Linear' },
  { value: 'fixed', label: 'Fixed' },
] as const;
export type CurveChoice = (typeof CURVES)[number]['value'];
