/** What a person has entered into the wizard so far, and what it asks the API for; pure. */

import { FAST, type PaceDraft, readPace } from '@/components/ui/pace';
import { nameSchema } from '@/lib/contract/names';
import {
  type AutomaticStop,
  type Canary,
  type EXPORT_FORMATS,
  EXPORT_MAX_ROWS,
  KIND_STATES,
  type OperationKind,
  type OperationRequest,
  type Preview,
  type PreviewRequest,
  RERUNS,
  type Scope,
} from '@/lib/contract/operations';
import { parseQuery } from '@/lib/contract/query';
import type { JobState } from '@/lib/contract/states';
import { parseDuration, parseNumber } from '@/lib/format/parse';
import { type Brakes, brakesFor, STOP_MIN_ENDED } from './brakes';
import { NO_PATCH, type PatchDraft, readPatch } from './patch-draft';

export interface Draft {
  kind: OperationKind;
  state: JobState;
  q: string;
  queue: string;
  jobs: Scope['jobs'];
  target: string;
  patch: PatchDraft;
  /** As the browser's own field writes it: local time. */
  due: string;
  format: (typeof EXPORT_FORMATS)[number];
  maxRows: string;
  includeUnsafe: boolean;
  pace: PaceDraft;
  /** Null, here and in the fields below: nobody chose; what the preview found decides (brakes.ts). */
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
export type Change = (patch: Partial<Draft>) => void;

export function draftOf(kind: OperationKind, scope: Scope | null): Draft {
  return {
    kind,
    state:
      scope?.state ?? KIND_STATES[kind].find((state) => state === 'dead') ?? KIND_STATES[kind][0] ?? 'dead',
    q: scope?.q ?? '',
    queue: scope?.queue ?? '',
    jobs: scope?.jobs,
    target: '',
    patch: NO_PATCH,
    due: '',
    format: 'ndjson',
    maxRows: '100,000',
    includeUnsafe: false,
    pace: FAST,
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

/** Kinds that ask for more than which jobs. */
const ASKS: ReadonlySet<OperationKind> = new Set(['move', 'edit', 'reschedule', 'export']);
export type StepName = 'scope' | 'preview' | 'pace' | 'confirm';
export const stepsOf = (kind: OperationKind): readonly StepName[] =>
  kind === 'delete-queue'
    ? ['preview', 'confirm']
    : kind === 'export'
      ? ['scope', 'preview', 'confirm']
      : ['scope', 'preview', 'pace', 'confirm'];
/** Straight to the preview when there is nothing left to say before it. */
export const firstStep = (kind: OperationKind, scope: Scope | null): StepName =>
  scope !== null && !ASKS.has(kind) ? 'preview' : 'scope';

export type Problems = Partial<Record<'q' | 'queue' | 'target' | 'patch' | 'due' | 'maxRows', string>>;

/** What the preview is asked for; null while something it needs is missing or cannot be read. */
export function readScope(draft: Draft): { request: PreviewRequest | null; problems: Problems } {
  const { kind } = draft;
  const problems: Problems = {};
  const queue = draft.queue.trim();
  const target = draft.target.trim();
  const patch = readPatch(draft.patch);
  const dueAt = Date.parse(draft.due);
  const maxRows = parseNumber(draft.maxRows);
  const query = parseQuery(draft.q);
  if (!draft.jobs && !query.ok) problems.q = query.error.message;
  if (queue !== '' && !nameSchema.safeParse(queue).success) problems.queue = 'This can be no queue.';
  if (kind === 'move' && !nameSchema.safeParse(target).success)
    problems.target = target === '' ? 'Say to which queue.' : 'This can be no queue.';
  if (kind === 'edit' && patch.problem) problems.patch = patch.problem;
  if (kind === 'reschedule' && Number.isNaN(dueAt)) problems.due = 'Say when they become due.';
  if (kind === 'export' && !(maxRows && Number.isInteger(maxRows) && maxRows <= EXPORT_MAX_ROWS))
    problems.maxRows = 'Give a whole number from 1 to 1,000,000.';
  if (Object.keys(problems).length > 0) return { request: null, problems };
  const scope: Scope = {
    state: draft.state,
    ...(draft.jobs ? { jobs: draft.jobs } : { q: draft.q.trim() }),
    ...(queue === '' || draft.jobs ? {} : { queue }),
  };
  return {
    problems,
    request: {
      kind,
      scope,
      includeUnsafe: draft.includeUnsafe && RERUNS.has(kind),
      ...(kind === 'move' ? { target } : {}),
      ...(kind === 'edit' ? { patch: patch.steps } : {}),
      ...(kind === 'reschedule' ? { dueAt } : {}),
      ...(kind === 'export' ? { format: draft.format, maxRows } : {}),
    },
  };
}

/** What decides where nobody chose; null while there is no preview. */
type Previewed = Pick<Preview, 'count' | 'advice'> | null;

/** Canary and automatic stop as the draft has them: what was chosen, and what goes without saying elsewhere. */
export function brakesOf(draft: Draft, preview: Previewed): Brakes {
  const byDefault = brakesFor(draft, preview);
  const reruns = RERUNS.has(draft.kind);
  return {
    canary: {
      on: reruns && (draft.canaryOn ?? byDefault.canary.on),
      jobs: draft.canaryJobs ?? byDefault.canary.jobs,
      percent: draft.canaryPercent ?? byDefault.canary.percent,
    },
    stop: {
      on: reruns && (draft.stopOn ?? byDefault.stop.on),
      percent: draft.stopPercent ?? byDefault.stop.percent,
    },
    why: byDefault.why,
  };
}

const HOUR_MS = 3_600_000;
const percentOf = (text: string): number | undefined => {
  const percent = parseNumber(text.replace('%', ''));
  return percent === undefined || percent > 100 ? undefined : percent / 100;
};
const PERCENT = 'Give a share from 0 to 100.';
const wait = (text: string, mostMs: number): number | undefined => {
  const ms = parseDuration(text);
  return ms === undefined || ms < 1_000 || ms > mostMs ? undefined : ms;
};

export type PaceProblems = Partial<
  Record<'pace' | 'canaryJobs' | 'canaryPercent' | 'canaryWait' | 'stopPercent' | 'stopWindow', string>
>;
export interface Velocity {
  pace: { ratePerSecond: number | null; keepReadyBelow: number | null };
  canary: Canary | null;
  stop: AutomaticStop | null;
}

/** How it goes about it; null while a field that counts cannot be read. */
export function readVelocity(
  draft: Draft,
  preview: Previewed,
): { velocity: Velocity | null; problems: PaceProblems } {
  const problems: PaceProblems = {};
  const { pace, error } = readPace(draft.pace);
  if (error) problems.pace = error;
  const brakes = brakesOf(draft, preview);
  let canary: Canary | null = null;
  if (brakes.canary.on) {
    const jobs = parseNumber(brakes.canary.jobs);
    const maxDiedAgain = percentOf(brakes.canary.percent);
    const waitMs = wait(draft.canaryWait, 24 * HOUR_MS);
    if (jobs === undefined || !Number.isInteger(jobs) || jobs < 1 || jobs > 10_000)
      problems.canaryJobs = 'Give a whole number from 1 to 10,000.';
    if (maxDiedAgain === undefined) problems.canaryPercent = PERCENT;
    if (waitMs === undefined) problems.canaryWait = 'Give a time such as 10m, at most 24h.';
    if (jobs && maxDiedAgain !== undefined && waitMs) canary = { jobs, maxDiedAgain, waitMs };
  }
  let stop: AutomaticStop | null = null;
  if (brakes.stop.on) {
    const maxDiedAgain = percentOf(brakes.stop.percent);
    const windowMs = wait(draft.stopWindow, HOUR_MS);
    if (maxDiedAgain === undefined) problems.stopPercent = PERCENT;
    if (windowMs === undefined) problems.stopWindow = 'Give a time such as 1m, at most 1h.';
    if (maxDiedAgain !== undefined && windowMs) stop = { maxDiedAgain, windowMs, minEnded: STOP_MIN_ENDED };
  }
  return { problems, velocity: pace && Object.keys(problems).length === 0 ? { pace, canary, stop } : null };
}

/** Jobs that match, less those it would leave alone. Only known when the skips were counted over all of them. */
export function willMove({
  count,
  skips,
  sampled,
  lookedAt,
}: Pick<Preview, 'count' | 'skips' | 'sampled' | 'lookedAt'>): number | null {
  if (sampled !== null || lookedAt !== null) return null;
  return Math.max(0, count - Object.values(skips).reduce((sum, n) => sum + (n ?? 0), 0));
}

/** What confirms the preview; null while a reason or the typed count is missing. */
export function readConfirm(draft: Draft, preview: Preview, velocity: Velocity): OperationRequest | null {
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
    ...(draft.kind === 'export' || deletes ? {} : { pace: velocity.pace }),
    ...(RERUNS.has(draft.kind) ? { canary: velocity.canary, stop: velocity.stop } : {}),
  };
}
