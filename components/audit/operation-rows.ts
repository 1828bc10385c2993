/** Audit events as rows: one an operation, its ends folded into its start; pure. */
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import { OPERATION_KINDS, type OperationKind } from '@/lib/contract/operations/operation-kinds';
import { KIND_LABELS } from '@/lib/contract/operations/operation-text';
import { fullNumber } from '@/lib/format/number';
import { pausedScope } from './event-change-text';
import { actionLabel } from './labels';

export interface AuditRow {
  readonly entry: AuditEventView;
  /** How the operation ended, one event a queue; empty: it goes on, or its end is on another page. */
  readonly ends: readonly AuditEventView[];
}

/** Events of an operation that has only begun. */
export const STARTS: ReadonlySet<string> = new Set(['operation.start', 'operation.undo']);

export function toAuditRows(events: readonly AuditEventView[]): AuditRow[] {
  const started = new Set(
    events
      .filter(({ action, result }) => STARTS.has(action) && result === 'done')
      .map(({ object }) => object?.id),
  );
  const ends = new Map<string, AuditEventView[]>();
  const isFolded = ({ action, object }: AuditEventView) =>
    action === 'operation.end' && object !== null && started.has(object.id);
  for (const event of events)
    if (isFolded(event) && event.object)
      ends.set(event.object.id, [...(ends.get(event.object.id) ?? []), event]);
  return events
    .filter((event) => !isFolded(event))
    .map((entry) => ({
      entry,
      ends: STARTS.has(entry.action) && entry.object ? (ends.get(entry.object.id) ?? []) : [],
    }));
}

/** "Purge 4 dead jobs", "Pause queue", "Pause tenant acme". */
export function eventLabel(entry: AuditEventView): string {
  const label = actionLabel(entry.action);
  const scope = pausedScope(entry);
  if (scope && scope.kind !== 'queue')
    return `${entry.action === 'queue.pause' ? 'Pause' : 'Resume'} ${scope.kind} ${scope.name}`;
  const operation = operationOf(entry);
  if (operation === null || entry.result === 'refused') return label;
  const what = operationLabel(operation, entry);
  if (entry.action === 'operation.start') return what;
  if (entry.action === 'operation.undo') return `Undo: ${lowerFirst(what)}`;
  return `${label}: ${lowerFirst(what)}`;
}

/** "4 moved, 0 left alone", of all queues together; null: no event of its end is listed. */
export function endLabel({ ends }: AuditRow): string | null {
  const [first, ...others] = ends;
  if (!first) return null;
  const counts = ends.map(({ after }) =>
    /^(ended|stopped): (\d+) moved, (\d+) left alone$/.exec(after ?? ''),
  );
  if (others.length === 0 || counts.some((count) => count === null)) return first.after;
  const sum = (at: number) => fullNumber(counts.reduce((total, count) => total + Number(count?.[at]), 0));
  const how = counts.some((count) => count?.[1] === 'stopped') ? 'stopped' : 'ended';
  return `${how}: ${sum(2)} moved, ${sum(3)} left alone`;
}

interface AuditedOperation {
  readonly kind: OperationKind;
  /** Empty: of several or none. */
  readonly state: string;
}

/** From `<kind>[ <id>]: <state>, …`, as operations are recorded. */
function operationOf({ action, filter }: AuditEventView): AuditedOperation | null {
  if (!action.startsWith('operation.')) return null;
  const [, kind, state = ''] = /^([a-z-]+)(?: [^\s:]+)?(?:: ([a-z-]+))?/.exec(filter ?? '') ?? [];
  const known = OPERATION_KINDS.find((one) => one === kind);
  if (known === undefined) return null;
  return { kind: known, state: JOB_STATES.some((one) => one === state) ? state : '' };
}

function operationLabel({ kind, state }: AuditedOperation, { count, queue }: AuditEventView): string {
  if (kind === 'delete-queue') return `Delete queue${queue === null ? '' : ` ${queue}`}`;
  // The verb of a move names where to, which stands behind the jobs.
  const [verb, suffix] = kind === 'move' ? ['Re-drive', ' to another queue'] : [KIND_LABELS[kind].verb, ''];
  const noun = `${state === '' ? '' : `${state} `}job${count === 1 ? '' : 's'}`;
  return `${verb} ${count === null ? '' : `${fullNumber(count)} `}${noun}${suffix}`;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
