/** The settings that are one value each: what they are called, in which unit they are typed, and what an empty field means. */
import type { QueueConfig } from '@/lib/contract/config';

export type FieldKind = 'count' | 'percent' | 'duration' | 'bytes';
export type ScalarKey =
  | 'depthLimit'
  | 'shedAtPercent'
  | 'concurrency'
  | 'maxDeliveries'
  | 'completedKeep'
  | 'completedKeepMs'
  | 'completedKeepBytes'
  | 'resendWindowMs'
  | 'deadKeepMs'
  | 'trashGraceMs';

export interface ScalarSpec {
  readonly label: string;
  readonly kind: FieldKind;
  readonly hint: string;
  /** What an empty field means; null: it must not be empty. */
  readonly none: string | null;
  /** After the number, where the kind does not say it. */
  readonly unit?: string;
  readonly example: string;
}

export const SCALARS: Readonly<Record<ScalarKey, ScalarSpec>> = {
  depthLimit: {
    label: 'Depth limit',
    kind: 'count',
    unit: 'jobs',
    hint: 'Ready, scheduled, retry and held jobs together. Beyond it new jobs are refused.',
    none: 'no limit',
    example: '10,000',
  },
  shedAtPercent: {
    label: 'Shed from',
    kind: 'percent',
    hint: 'From this share of the depth limit on, jobs marked critical: false are refused.',
    none: 'never',
    example: '80%',
  },
  concurrency: {
    label: 'Concurrency',
    kind: 'count',
    unit: 'at once',
    hint: 'Jobs of this queue in flight at once, over all workers.',
    none: 'no limit',
    example: '20',
  },
  maxDeliveries: {
    label: 'Deliveries',
    kind: 'count',
    unit: 'lost runs',
    hint: 'A job whose worker died this often under it is dead with class crash.',
    none: null,
    example: '5',
  },
  completedKeep: {
    label: 'Completed jobs kept',
    kind: 'count',
    unit: 'jobs',
    hint: 'The newest this many. 0 keeps none.',
    none: null,
    example: '1,000',
  },
  completedKeepMs: {
    label: 'Completed kept for',
    kind: 'duration',
    hint: 'Whichever of the three limits is reached first counts.',
    none: 'any time',
    example: '7d',
  },
  completedKeepBytes: {
    label: 'Completed kept up to',
    kind: 'bytes',
    hint: 'Of payloads and envelopes of completed jobs.',
    none: 'any size',
    example: '64 MiB',
  },
  resendWindowMs: {
    label: 'Resends recognised for',
    kind: 'duration',
    hint: 'An id sent again this long after its job left the queue is not run again.',
    none: null,
    example: '10m',
  },
  deadKeepMs: {
    label: 'Dead kept for',
    kind: 'duration',
    hint: 'Then retention deletes them for good. The overview warns a day ahead.',
    none: 'for ever',
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

/** What every setting is called, also where it is more than one value. */
export const SETTING_LABELS: Readonly<Record<keyof QueueConfig, string>> = {
  ...(Object.fromEntries(SCALAR_KEYS.map((key) => [key, SCALARS[key].label])) as Record<ScalarKey, string>),
  rate: 'Rate',
  tenantLimit: 'Each tenant',
  tenantLimits: 'Tenant',
  fair: 'Fairness',
  purgeNeedsApproval: 'Second person for purges',
  redact: 'Hides',
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
  { value: 'inherit', label: 'Not set here' },
  { value: 'exponential', label: 'Exponential' },
  { value: 'linear', label: 'Linear' },
  { value: 'fixed', label: 'Fixed' },
] as const;
export type CurveChoice = (typeof CURVES)[number]['value'];
