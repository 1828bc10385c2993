/** The values entered in the wizard, and the requests they make; pure. */

import { z } from 'zod';
import {
  type OperationRateDraft,
  RATE_SENTENCES,
  toRate,
  toShare,
  UNLIMITED,
} from '@/components/operations/operation-rate';
import { orInvalid, type Problems, readTyped } from '@/lib/browser/api/read-typed';
import type { JobState } from '@/lib/contract/jobs/job-states';
import {
  type ExportFormat,
  KIND_STATES,
  type OperationKind,
  RERUNS,
} from '@/lib/contract/operations/operation-kinds';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import {
  canarySchema,
  type OperationRequest,
  previewRequestSchema,
  rateSchema,
  type Scope,
  stopSchema,
} from '@/lib/contract/operations/operation-request';
import { parseQuery } from '@/lib/contract/search/query';
import { fullNumber } from '@/lib/format/number';
import { parseDuration, parseNumber, rateText } from '@/lib/format/parse-units';
import { NO_PATCH, type PatchDraft, readPatch } from './patch-draft';
import { payloadPatch } from './payload-patch';
import { type SafetyDefaults, STOP_MIN_ENDED, safetyDefaultsFor } from './safety-defaults';

export interface WizardDraft {
  kind: OperationKind;
  state: JobState;
  q: string;
  queue: string;
  jobs: Scope['jobs'];
  target: string;
  patch: PatchDraft;
  /** edit of one job: its payload, and the text as edited. `before` is null while it loads. Null: `patch` counts. */
  payload: { before: string | null; text: string } | null;
  /** Local time, as a `datetime-local` field writes it. */
  due: string;
  format: ExportFormat;
  maxRows: string;
  includeUnsafe: boolean;
  /** Null, here and below: not changed by the user, so the preview decides (safety-defaults.ts). */
  rate: OperationRateDraft | null;
  canaryOn: boolean | null;
  canaryJobs: string | null;
  canaryPercent: string | null;
  canaryWait: string;
  stopOn: boolean | null;
  stopPercent: string | null;
  stopWindow: string;
  reason: string;
  typed: string;
}

export const UNREAD_PAYLOAD = { before: null, text: '' } as const;

export function createDraft(kind: OperationKind, scope: Scope | null): WizardDraft {
  return {
    kind,
    state:
      scope?.state ?? KIND_STATES[kind].find((state) => state === 'dead') ?? KIND_STATES[kind][0] ?? 'dead',
    q: scope?.q ?? '',
    queue: scope?.queue ?? '',
    jobs: scope?.jobs,
    target: '',
    patch: NO_PATCH,
    payload: kind === 'edit' && scope?.jobs?.length === 1 ? UNREAD_PAYLOAD : null,
    due: '',
    format: 'ndjson',
    maxRows: '100,000',
    includeUnsafe: false,
    rate: null,
    canaryOn: null,
    canaryJobs: null,
    canaryPercent: null,
    canaryWait: '10m',
    stopOn: null,
    stopPercent: null,
    stopWindow: '1m',
    reason: '',
    typed: '',
  };
}

/** Kinds that need more than a scope. */
const WITH_INPUT: ReadonlySet<OperationKind> = new Set(['move', 'edit', 'reschedule', 'export']);
export type StepName = 'scope' | 'preview' | 'rate' | 'confirm';
export function wizardSteps(kind: OperationKind, scope: Scope | null = null): readonly StepName[] {
  if (kind === 'delete-queue') return ['preview', 'confirm'];
  // One job has no rate.
  if (kind === 'export' || scope?.jobs?.length === 1) return ['scope', 'preview', 'confirm'];
  return ['scope', 'preview', 'rate', 'confirm'];
}
/** The preview, unless the wizard needs a scope or other input first. */
export const firstStep = (kind: OperationKind, scope: Scope | null): StepName =>
  scope !== null && !WITH_INPUT.has(kind) ? 'preview' : 'scope';

function patchOf({ payload, patch }: WizardDraft): ReturnType<typeof readPatch> {
  if (payload === null) return readPatch(patch);
  return payload.before === null ? { steps: [], problem: null } : payloadPatch(payload.before, payload.text);
}

export type ScopeProblems = Problems<'q' | 'queue' | 'target' | 'patch' | 'due' | 'maxRows'>;
const INVALID_NAME = 'Invalid queue name.';

/** The preview's request; null while a value is missing or invalid. */
export function readScope(draft: WizardDraft): {
  request: z.input<typeof previewRequestSchema> | null;
  problems: ScopeProblems;
} {
  const { kind, state, jobs } = draft;
  const queue = draft.queue.trim();
  const target = draft.target.trim();
  const patch = patchOf(draft);
  const query = parseQuery(draft.q);
  const { request, problems } = readTyped(
    previewRequestSchema,
    {
      kind,
      scope: {
        state,
        ...(jobs ? { jobs } : { q: draft.q.trim() }),
        ...(queue === '' || jobs ? {} : { queue }),
      },
      includeUnsafe: draft.includeUnsafe && RERUNS.has(kind),
      ...(kind === 'move' ? { target } : {}),
      ...(kind === 'edit' ? { patch: patch.steps } : {}),
      ...(kind === 'reschedule' ? { dueAt: Date.parse(draft.due) } : {}),
      ...(kind === 'export' ? { format: draft.format, maxRows: orInvalid(parseNumber(draft.maxRows)) } : {}),
    },
    {
      'scope.queue': ['queue', INVALID_NAME],
      target: ['target', target === '' ? 'Target queue is required.' : INVALID_NAME],
      patch: ['patch', patch.problem ?? ''],
      dueAt: ['due', draft.due === '' ? 'Due time is required.' : 'Give a time from 1970 to 2243.'],
      maxRows: ['maxRows', 'Give a whole number from 1 to 1,000,000.'],
    },
  );
  if (jobs || query.ok) return { request, problems };
  return { request: null, problems: { ...problems, q: query.error.message } };
}

/** The part of a preview the defaults depend on; null while it loads. */
type PreviewCounts = (Pick<Preview, 'count' | 'advice'> & Partial<Pick<Preview, 'exact'>>) | null;

/** Rate, canary and automatic stop: the user's choice where there is one, else the default. */
export function safetySettingsOf(
  draft: WizardDraft,
  preview: PreviewCounts,
): Omit<SafetyDefaults, 'ratePerSecond'> & { readonly rate: OperationRateDraft } {
  const defaults = safetyDefaultsFor(draft, preview);
  const reruns = RERUNS.has(draft.kind);
  const stopOn = reruns && (draft.stopOn ?? defaults.stop.on);
  const rate = stopOn
    ? { ...UNLIMITED, mode: 'rate' as const, rate: rateText(defaults.ratePerSecond) }
    : UNLIMITED;
  return {
    rate: draft.rate ?? rate,
    canary: {
      on: reruns && (draft.canaryOn ?? defaults.canary.on),
      jobs: draft.canaryJobs ?? defaults.canary.jobs,
      percent: draft.canaryPercent ?? defaults.canary.percent,
    },
    stop: {
      on: stopOn,
      percent: draft.stopPercent ?? defaults.stop.percent,
    },
    note: defaults.note,
  };
}

const executionSchema = z.object({
  rate: rateSchema,
  canary: canarySchema.nullable(),
  stop: stopSchema.nullable(),
});
export type ExecutionSettings = z.output<typeof executionSchema>;
export type ExecutionProblems = Problems<
  'rate' | 'canaryJobs' | 'canaryPercent' | 'canaryWait' | 'stopPercent' | 'stopWindow'
>;
const EXECUTION_SENTENCES = {
  ...RATE_SENTENCES,
  'canary.jobs': ['canaryJobs', 'Give a whole number from 1 to 10,000.'],
  'canary.maxDiedAgain': ['canaryPercent', 'Give a percentage from 0 to 100.'],
  'canary.waitMs': ['canaryWait', 'Give a time such as 10m, at most 24h.'],
  'stop.windowMs': ['stopWindow', 'Give a time such as 1m, at most 1h.'],
} as const;

/** `settings` is null while a field in use cannot be read. */
export function readExecutionSettings(
  draft: WizardDraft,
  preview: PreviewCounts,
): { settings: ExecutionSettings | null; problems: ExecutionProblems } {
  const { rate, canary, stop } = safetySettingsOf(draft, preview);
  const typed: ExecutionSettings = {
    rate: toRate(rate),
    canary: canary.on
      ? {
          jobs: orInvalid(parseNumber(canary.jobs)),
          maxDiedAgain: toShare(canary.percent),
          waitMs: orInvalid(parseDuration(draft.canaryWait)),
        }
      : null,
    stop: stop.on
      ? {
          maxDiedAgain: toShare(stop.percent),
          windowMs: orInvalid(parseDuration(draft.stopWindow)),
          minEnded: STOP_MIN_ENDED,
        }
      : null,
  };
  const { request, problems } = readTyped(executionSchema, typed, EXECUTION_SENTENCES);
  const tooMany = request?.canary && preview?.exact !== false && request.canary.jobs >= (preview?.count ?? 2);
  if (!tooMany) return { settings: request, problems };
  const most = (preview?.count ?? 2) - 1;
  const canaryJobs =
    most < 1
      ? 'One job needs no canary: switch it off.'
      : `Give at most ${fullNumber(most)}: at least one job must follow the canary.`;
  return { settings: null, problems: { ...problems, canaryJobs } };
}

/** Matches less skipped jobs; null when the skips were counted in a sample only. */
export function expectedMoves({
  count,
  skips,
  sampled,
  inspected,
}: Pick<Preview, 'count' | 'skips' | 'sampled' | 'inspected'>): number | null {
  if (sampled !== null || inspected !== null) return null;
  return Math.max(0, count - Object.values(skips).reduce((sum, n) => sum + (n ?? 0), 0));
}

/** The request that confirms the preview; null while the reason or the typed count is missing. */
export function readConfirm(
  draft: WizardDraft,
  preview: Preview,
  settings: ExecutionSettings,
): OperationRequest | null {
  const reason = draft.reason.trim();
  const typed = parseNumber(draft.typed);
  const { deletes } = preview;
  if (reason === '' || (preview.typedCount !== null && typed !== preview.typedCount)) return null;
  if (deletes && draft.typed.trim() !== deletes.typedName) return null;
  return {
    previewToken: preview.token,
    reason,
    ...(preview.typedCount === null ? {} : { typedCount: preview.typedCount }),
    ...(deletes ? { typedName: deletes.typedName } : {}),
    ...(draft.kind === 'export' || deletes ? {} : { rate: settings.rate }),
    ...(RERUNS.has(draft.kind) ? { canary: settings.canary, stop: settings.stop } : {}),
  };
}
