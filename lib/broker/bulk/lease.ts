/**
 * Who works on an operation just now. A lease saves work and guards nothing: what a runner without one would move, it moves by the same
 * compare-and-set as everybody else.
 */
import type { OperationRecord } from '@/lib/contract/verbs';
import type { ShardedContext } from '../shards';
import { withEvent } from './advance';
import { updateRecord } from './records';
import { LEASE_MS } from './run';

/** With less than this left it is renewed before anything is moved. */
const RENEW_BELOW_MS = 2_500;

export type Leased =
  /** `taken`: just now; what the runner remembers of the operation is worth nothing. */
  | { readonly mine: true; readonly record: OperationRecord; readonly taken: boolean }
  | { readonly mine: false; readonly record: OperationRecord; readonly untilMs: number };

export const renewed = (record: OperationRecord, runner: string, now: number): OperationRecord => ({
  ...record,
  runner: { id: runner, until: now + LEASE_MS },
});

/** By its own clock a lease is over, or was made under a clock that has since gone back. */
const isFree = ({ runner }: OperationRecord, now: number): boolean =>
  runner === null || runner.until <= now || runner.until > now + LEASE_MS;

export async function takeLease(
  ctx: ShardedContext,
  record: OperationRecord,
  runner: string,
  now: number,
): Promise<Leased> {
  const held = record.runner;
  const mine = held?.id === runner && !isFree(record, now);
  if (mine && held.until - now >= RENEW_BELOW_MS) return { mine: true, record, taken: false };
  if (!mine && !isFree(record, now)) return { mine: false, record, untilMs: held?.until ?? now };
  const after = await updateRecord(ctx, record.id, (latest) => {
    const kept = latest.runner?.id === runner;
    if (latest.status !== 'running' || !(kept || isFree(latest, now))) return null;
    const next = renewed(latest, runner, now);
    // Said only where somebody had begun and did not end it: that is what an operator wants to know.
    return kept || latest.runner === null
      ? next
      : withEvent(next, { at: now, what: 'taken-over', by: 'redrive', sentence: null });
  });
  if (after.status === 'running' && after.runner?.id === runner)
    return { mine: true, record: after, taken: !mine };
  return { mine: false, record: after, untilMs: after.runner?.until ?? now };
}
