/** An operation's progress, actions and outcome in words and numbers; pure. */

import type { Operation, OperationEvent, Outcome } from '@/lib/contract/operations/operation';
import {
  type ExportFormat,
  isOpen,
  type OPERATION_OUTCOMES,
  type OperationAction,
  type SkipReason,
} from '@/lib/contract/operations/operation-kinds';
import { revealHidden } from '@/lib/format/display-text';
import { duration } from '@/lib/format/duration';
import { fullNumber, percent } from '@/lib/format/number';
import { count as counted } from '@/lib/format/plural';

export const FORMAT_LABELS: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'NDJSON',
  csv: 'CSV',
  excel: 'CSV for Excel',
};

/** "12 of 1,234", "12 of at least 20,000", "12 done". */
export function progressLabel({ moved, skipped, expected, estimated, status }: Operation): string {
  const done = fullNumber(moved + skipped);
  if (status === 'completed') return `${done} done`;
  return `${done} of ${estimated ? 'at least ' : ''}${fullNumber(expected)}`;
}

/** The total of a progress bar; an estimate may turn out too low. */
export const progressTotal = ({ moved, skipped, expected, status }: Operation): number =>
  status === 'completed' ? Math.max(1, moved + skipped) : Math.max(expected, moved + skipped, 1);

/** Time since the first job was moved. */
export function elapsedMs({ createdAt, startedAt, endedAt }: Operation, now: number): number {
  return Math.max(0, (endedAt ?? now) - (startedAt ?? createdAt));
}

/** The actions its status allows. */
export function availableActions({ status, kind }: Operation): readonly OperationAction[] {
  // The download drives an export, so it cannot be paused.
  if (kind === 'export' && status === 'running') return ['cancel'];
  switch (status) {
    case 'awaiting-approval':
      return ['approve', 'reject', 'cancel'];
    case 'running':
      return ['pause', 'cancel'];
    case 'paused':
      return ['resume', 'cancel'];
    default:
      return [];
  }
}

/** Whether it can probably be undone; the API decides. */
export const canUndo = ({ undo, moved, status }: Operation, now: number): boolean =>
  undo !== null && moved > 0 && !isOpen(status) && (undo.until === null || undo.until > now);

/** Whether its file can be downloaded, any number of times. */
export const isDownloadable = ({ kind, status }: Operation): boolean =>
  kind === 'export' && (status === 'running' || status === 'completed');

/** The time left for the undo: "Undo, 59 min left"; without a limit "Undo…". */
export function undoLabel({ undo }: Pick<Operation, 'undo'>, now: number): string {
  if (!undo || undo.until === null) return 'Undo…';
  const minutes = Math.floor((undo.until - now) / 60_000);
  if (minutes < 1) return 'Undo, under 1 min left';
  return minutes < 120 ? `Undo, ${minutes} min left` : `Undo, ${Math.floor(minutes / 60)} h left`;
}

/** What an undo does to the jobs, in sentences. */
export function undoSentence({ undo, moved, undone }: Pick<Operation, 'undo' | 'moved' | 'undone'>): string {
  const left = Math.max(0, moved - undone);
  const jobs = `${fullNumber(left)} ${left === 1 ? 'job' : 'jobs'}`;
  if (undo?.kind === 'restore')
    return `${jobs} will move from trash back to dead letters and keep their time of death.`;
  if (undo?.kind === 'unsuppress')
    return `${jobs} will become dead letters again and keep their time of death.`;
  return `Of ${jobs}, those that still wait will go back to where they were. Running and finished jobs stay as they are.`;
}

/** The state of the canary. */
export function canaryState({ phase, startedAt, events, paused, status }: Operation): string {
  if (paused?.by === 'canary') return 'failed';
  if (phase !== null && !isOpen(status)) return 'ended before its result';
  if (phase === 'canary') return 'sending';
  if (phase === 'canary-wait') return 'waiting for canary results';
  if (events.some(({ type }) => type === 'canary-passed')) return 'passed';
  if (events.some(({ type, by }) => type === 'paused' && by === 'canary')) return 'failed, resumed by a user';
  return startedAt === null ? 'pending' : 'ended';
}

/** The canary's rules and its state. */
export const canaryText = (operation: Operation): string => {
  const { canary } = operation;
  if (!canary) return 'none';
  return `${counted(canary.jobs, 'job')}, max. failure rate ${percent(canary.maxDiedAgain)}, timeout ${duration(canary.waitMs)}: ${canaryState(operation)}`;
};

/** The phase in a few words; null when the status says enough. */
export function phaseLabel({ kind, status, phase, canary, outcome, moved }: Operation): string | null {
  if (kind === 'export' && status === 'running') return 'waiting for the download';
  if (status !== 'running' || !canary || phase === null) return null;
  // The counts are of all canaries: of another one they say nothing.
  const isAnother = moved > canary.jobs || (phase === 'canary' && moved === canary.jobs);
  if (isAnother) return phase === 'canary' ? 'another canary is sent' : 'another canary runs';
  if (phase === 'canary') return `canary: ${fullNumber(moved)} of ${fullNumber(canary.jobs)} sent`;
  const ended = outcome ? outcome.completed + outcome.diedAgain : 0;
  return `canary: ${fullNumber(ended)} of ${fullNumber(moved)} ended`;
}

export const EVENT_LABELS: Readonly<Record<OperationEvent['type'], string>> = {
  created: 'Confirmed',
  approved: 'Approved',
  rejected: 'Rejected',
  paused: 'Paused',
  resumed: 'Resumed',
  changed: 'Changed',
  'canary-passed': 'Canary passed',
  'taken-over': 'Taken over by another console',
  cancelled: 'Cancelled',
  completed: 'Completed',
  failed: 'Failed',
};

/** The user's name, or which part of Redrive acted. */
export const actorLabel = (by: string): string => OWN_NAMES[by] ?? revealHidden(by);
const OWN_NAMES: Readonly<Record<string, string>> = {
  redrive: 'Redrive',
  system: 'Redrive',
  canary: 'Canary',
  'died-again': 'Automatic stop',
  rights: 'Permission check',
  approval: 'Approval check',
};

/** The reason of a pause; null when none was given. */
export const pauseReason = ({ by, sentence }: NonNullable<Operation['paused']>): string | null =>
  sentence === `Paused by ${by}.` ? null : revealHidden(sentence);

/** Where the moved jobs are now, in the order of their colours, zeros included. */
export function outcomeParts(
  outcome: Outcome,
): { label: string; value: number; color: string; tab: OutcomeTab | null }[] {
  return [
    { label: 'Completed', value: outcome.completed, color: 'var(--state-completed)', tab: 'completed' },
    { label: 'Running', value: outcome.running, color: 'var(--state-in-flight)', tab: 'running' },
    { label: 'Waiting', value: outcome.waiting, color: 'var(--state-ready)', tab: 'waiting' },
    { label: 'Died again', value: outcome.diedAgain, color: 'var(--state-dead)', tab: 'died-again' },
    { label: 'Recalled', value: outcome.recalled, color: 'var(--state-suppressed)', tab: null },
    { label: 'Deleted', value: outcome.deleted, color: 'var(--state-trashed)', tab: null },
  ];
}
export type OutcomeTab = Exclude<(typeof OPERATION_OUTCOMES)[number], 'undoable'>;

/** The query for an operation's dead letters. */
export const operationQuery = (id: string, group?: string): string =>
  `operation:${id}${group === undefined ? '' : ` group:${group}`}`;

/** Reasons and counts, most first. */
export function sortSkips(skips: Operation['skips']): { reason: SkipReason; count: number }[] {
  return Object.entries(skips)
    .map(([reason, count]) => ({ reason: reason as SkipReason, count: count ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}
