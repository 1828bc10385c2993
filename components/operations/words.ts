/** How far an operation is, in words and numbers; pure. */
import type {
  OPERATION_OUTCOMES,
  Operation,
  OperationAction,
  OperationEvent,
  Outcome,
} from '@/lib/contract/operations';
import { full } from '@/lib/format/number';
import { visible } from '@/lib/format/text';

/** "12 of 1,234", "12 of at least 20,000", "12 done". */
export function progressWords({ moved, skipped, expected, estimated, status }: Operation): string {
  const done = full(moved + skipped);
  if (status === 'completed') return `${done} done`;
  return `${done} of ${estimated ? 'at least ' : ''}${full(expected)}`;
}

/** The whole a progress bar is drawn against; more than was expected may turn up while it was only estimated. */
export const wholeOf = ({ moved, skipped, expected, status }: Operation): number =>
  status === 'completed' ? Math.max(1, moved + skipped) : Math.max(expected, moved + skipped, 1);

/** Since it first moved something. What it waited for before that is no part of its speed. */
export function elapsedMs({ createdAt, startedAt, endedAt }: Operation, now: number): number {
  return Math.max(0, (endedAt ?? now) - (startedAt ?? createdAt));
}

/** Jobs a second since it began, pauses included; null while that says nothing yet. */
export function speedOf(operation: Operation, now: number): number | null {
  const ms = elapsedMs(operation, now);
  return operation.startedAt === null || ms < 250
    ? null
    : ((operation.moved + operation.skipped) * 1_000) / ms;
}

/** At its speed so far; null when unknown or not running. */
export function remainingMs(operation: Operation, now: number): number | null {
  const speed = speedOf(operation, now);
  if (operation.status !== 'running' || operation.phase !== null || operation.estimated || !speed)
    return null;
  return (Math.max(0, operation.expected - operation.moved - operation.skipped) / speed) * 1_000;
}

/** What may be done to it now. */
export function actionsOf({ status, kind }: Operation): readonly OperationAction[] {
  // Whoever fetches its file is what drives an export: it can only be called off.
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

/** Whether what it did can still be taken back, as far as is known here. */
export const canUndo = ({ undo, moved, status }: Operation, now: number): boolean =>
  undo !== null && moved > 0 && status !== 'awaiting-approval' && (undo.until === null || undo.until > now);

/** Its file can be fetched, again and again. */
export const isDownloadable = ({ kind, status }: Operation): boolean =>
  kind === 'export' && (status === 'running' || status === 'completed');

/** What became of the canary. */
export function canaryState({ phase, startedAt, events }: Operation): string {
  if (phase === 'canary') return 'being sent';
  if (phase === 'canary-wait') return 'waited for';
  if (events.some(({ what }) => what === 'canary-passed')) return 'passed';
  if (events.some(({ what, by }) => what === 'paused' && by === 'canary'))
    return 'failed; somebody went on without it';
  return startedAt === null ? 'to come' : 'over';
}

/** What it is at, in a few words; null when its status says all. */
export function phaseWords({ kind, status, phase, canary, outcome, moved }: Operation): string | null {
  if (kind === 'export' && status === 'running') return 'waits for its download';
  if (status !== 'running' || !canary || phase === null) return null;
  if (phase === 'canary') return `canary: ${full(moved)} of ${full(canary.jobs)} sent`;
  const ended = outcome ? outcome.completed + outcome.diedAgain : 0;
  return `canary: ${full(ended)} of ${full(moved)} ended`;
}

export const EVENT_WORDS: Readonly<Record<OperationEvent['what'], string>> = {
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

/** Who did it, in words: Redrive itself is no person. */
export const actorWords = (by: string): string => OWN_NAMES[by] ?? visible(by);
const OWN_NAMES: Readonly<Record<string, string>> = {
  redrive: 'Redrive',
  system: 'Redrive',
  canary: 'Redrive (canary)',
  'died-again': 'Redrive (automatic stop)',
  rights: 'Redrive (rights)',
};

/** Why it is paused; null when whoever did it gave no reason. */
export const pauseReason = ({ by, sentence }: NonNullable<Operation['paused']>): string | null =>
  sentence === `Paused by ${by}.` ? null : visible(sentence);

/** The parts of what it moved, in the order of their colours; parts that are nothing are left to the caller. */
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

/** The dead letters an operation is about, as a query. */
export const operationQuery = (id: string, group?: string): string =>
  `operation:${id}${group === undefined ? '' : ` group:${group}`}`;
