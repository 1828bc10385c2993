/** How an operation turned out, judged by what became of its jobs: one judgement for badges, lists, toasts and the verdict. Pure. */

import { fullNumber } from '@/lib/format/number';
import type { Operation } from './operation';
import type { OperationStatus } from './operation-kinds';

export const OPERATION_STATUS_LABELS: Readonly<Record<OperationStatus, string>> = {
  'awaiting-approval': 'Awaiting approval',
  running: 'Running',
  paused: 'Paused',
  completed: 'Completed',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
  failed: 'Failed',
};

export interface OperationResult {
  /** `open`: too early to say. `bad`: at least half of the jobs that ended died again, a rule stopped it, or it failed. */
  readonly level: 'open' | 'neutral' | 'good' | 'warn' | 'bad';
  /** "Completed · 13 of 13 died again". */
  readonly label: string;
}

type Judged = Pick<Operation, 'status' | 'paused' | 'outcome' | 'moved' | 'skipped' | 'undone'>;

/** From this share of the ended jobs on, a re-drive counts as failed. */
const BAD_SHARE = 0.5;
/** So many jobs, or all, must have ended before the share counts. */
const ENDED_MIN = 10;
/** The automatic rules that pause an operation. */
const STOPPED_BY: Readonly<Record<string, string>> = {
  canary: 'Stopped by its canary',
  'died-again': 'Stopped automatically',
};

export function operationResult(operation: Judged): OperationResult {
  const { status, paused, outcome, moved, skipped, undone } = operation;
  const stopped = status === 'paused' && paused ? STOPPED_BY[paused.by] : undefined;
  const head = stopped ?? OPERATION_STATUS_LABELS[status];
  const died = outcome?.diedAgain ?? 0;
  const label = died > 0 ? `${head} · ${fullNumber(died)} of ${fullNumber(moved)} died again` : head;
  const ended = died + (outcome?.completed ?? 0);
  const mostDied = died > 0 && died >= ended * BAD_SHARE && ended >= Math.min(ENDED_MIN, moved);
  if (status === 'failed' || stopped || mostDied) return { level: 'bad', label };
  if (status === 'awaiting-approval' || status === 'paused') return { level: 'warn', label };
  if (status === 'running') return { level: 'open', label };
  if (died > 0) return { level: 'warn', label };
  if (undone > 0)
    return { level: 'neutral', label: `${label} · ${fullNumber(undone)} of ${fullNumber(moved)} undone` };
  if (status !== 'completed') return { level: 'neutral', label };
  if (moved === 0 && skipped > 0)
    return { level: 'warn', label: `${label} · all ${fullNumber(skipped)} skipped` };
  // Not all of its jobs have run yet: too early for a success.
  if (outcome && outcome.waiting + outcome.running > 0) return { level: 'neutral', label };
  return { level: 'good', label };
}

/** Whether a user should look at it: for the verdict and alerts. */
export const isBadResult = (operation: Judged): boolean => operationResult(operation).level === 'bad';
