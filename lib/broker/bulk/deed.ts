/** What the audit log has of a person's hand in an operation: written by the script that saves its record. */
import type { OperationRecord } from '@/lib/contract/verbs';
import { changeText } from '../audit/change-text';
import { type Actor, actorNote } from '../note';
import type { Arg } from '../script';
import { setWords } from './about';

export interface Deed {
  readonly by: Actor;
  /** Such as `operation.start`. */
  readonly action: string;
  readonly before?: string;
  readonly after?: string;
  /** Jobs it is about. */
  readonly count?: number;
}

/** The tail of the arguments of operation-save.lua. */
export function deedArgs(record: OperationRecord, { by, action, before, after, count }: Deed): Arg[] {
  const queues = new Set(record.places.map(({ queue }) => queue));
  const [only = ''] = queues.size === 1 ? queues : [];
  const about = `${record.kind}${setWords(record)}`;
  return [actorNote(by), action, only, changeText(about), changeText(before), changeText(after), count ?? ''];
}

/** What is decided about how it goes on, for `before` and `after`. */
export const controlText = ({ pace, stop }: OperationRecord): string => JSON.stringify({ pace, stop });

/**
 * The beginning of an operation: how it is to be done, and of how many jobs.
 * @param unhides queues that hide more of their jobs than the queue to which these are moved
 */
export const startOf = (record: OperationRecord, by: Actor, unhides: readonly string[] = []): Deed => {
  const { status, cutoff, listed, dueAt, includeUnsafe, format, maxRows, pace, canary, stop, undoes } =
    record;
  // Which places of the payloads an edit changes; never what it puts there.
  const patch = record.patch?.map(({ op, path }) => `${op} ${path}`) ?? null;
  // The patch last: it alone may be long.
  const terms = { dueAt, includeUnsafe, format, maxRows, pace, canary, stop, undoes, patch };
  const said = Object.entries(terms).filter(([, value]) => value !== null && value !== false);
  return {
    by: { ...by, reason: record.reason },
    action: undoes === null ? 'operation.start' : 'operation.undo',
    after: JSON.stringify({
      status,
      ...(unhides.length > 0 ? { unhides } : {}),
      cutoff,
      listed,
      ...Object.fromEntries(said),
    }),
    count: record.expected,
  };
};
