/** What an operation is, in words and numbers; pure. */
import type { DeadFilter } from '@/lib/contract/dead';
import type { Operation, OperationKind } from '@/lib/contract/operations';
import { coarse } from '@/lib/format/duration';
import { full } from '@/lib/format/number';
import { count } from '@/lib/format/plural';

export const KIND_WORD: Readonly<Record<OperationKind, string>> = { redrive: 'Re-drive', purge: 'Purge' };
/** Where the jobs went. */
export const MOVED_WORD: Readonly<Record<OperationKind, string>> = {
  redrive: 'back to ready',
  purge: 'to the trash',
};

/** "queue email, class crash, died more than 1 h ago". */
export function filterWords(filter: DeadFilter): string {
  const { minAgeMs, maxAgeMs, ...named } = filter;
  const parts = Object.entries(named).flatMap(([field, value]) =>
    value === undefined ? [] : [`${field} ${value}`],
  );
  if (minAgeMs !== undefined) parts.push(`died more than ${coarse(minAgeMs)} ago`);
  if (maxAgeMs !== undefined) parts.push(`died at most ${coarse(maxAgeMs)} ago`);
  return parts.length > 0 ? parts.join(', ') : 'every dead letter';
}

export const selectionWords = ({ filter, selected }: Operation): string =>
  filter ? filterWords(filter) : `${count(selected ?? 0, 'ticked job')}`;

/** "12 of 1,234", "12 of at least 20,000". */
export function progressWords({ moved, skipped, expected, estimated, status }: Operation): string {
  const done = full(moved + skipped);
  if (status === 'completed') return `${done} done`;
  return `${done} of ${estimated ? 'at least ' : ''}${full(expected)}`;
}

/** The whole a progress bar is drawn against; more than was expected may turn up while it was only estimated. */
export const wholeOf = ({ moved, skipped, expected, status }: Operation): number =>
  status === 'completed' ? Math.max(1, moved + skipped) : Math.max(expected, moved + skipped, 1);

export function elapsedMs({ createdAt, endedAt }: Operation, now: number): number {
  return Math.max(0, (endedAt ?? now) - createdAt);
}

/** Jobs a second since it was started; null while that says nothing yet. */
export function speedOf(operation: Operation, now: number): number | null {
  const ms = elapsedMs(operation, now);
  return ms < 250 ? null : ((operation.moved + operation.skipped) * 1_000) / ms;
}

/** At its speed so far; null when unknown or not running. */
export function remainingMs(operation: Operation, now: number): number | null {
  const speed = speedOf(operation, now);
  if (operation.status !== 'running' || operation.estimated || !speed) return null;
  return (Math.max(0, operation.expected - operation.moved - operation.skipped) / speed) * 1_000;
}
