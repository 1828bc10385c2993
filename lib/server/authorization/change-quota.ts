/**
 * How many audit events one user may cause, with all their sessions and tokens and in all consoles. Ordinary work stays far below it, and
 * one user cannot push the history out of the log within days. A change beyond the quota is refused; a change that is made is always recorded.
 */
import { AUDIT_ENTRIES_MAX } from '@/lib/broker/audit/trim-log';
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Principal, quotaOwnerId, scopeOf } from '../authentication/principal';
import { hourlyLimit, retryText } from '../authentication/sign-in-quota';

/** Paid for before the change: one for each shard of a sharded queue, and for each queue of an operation. */
export const CHANGES_AN_HOUR = 2_500;

export interface ChangeLimit {
  /** The user who pays, with all their tokens; null: without a limit. */
  readonly owner: string | null;
  readonly limit: number;
  readonly windowMs: number;
}

/** Administrators and users of the sign-in link have no limit. */
export function changeLimit(principal: Principal): ChangeLimit {
  const isUnlimited = principal.method === 'link' || isFullScope(scopeOf(principal, 'audit'));
  return { owner: isUnlimited ? null : quotaOwnerId(principal), ...hourlyLimit(CHANGES_AN_HOUR) };
}

/** @param entries what this change would add */
export function tooManyChanges({ limit }: ChangeLimit, entries: number, retryAfterMs: number): RedriveError {
  const [most, log] = [limit, AUDIT_ENTRIES_MAX].map((n) => n.toLocaleString('en-US'));
  const room = `the limit of one user with all their tokens is ${most} an hour, since the log holds ${log}. Nothing was changed.`;
  if (entries > limit)
    return new RedriveError(
      'RATE_LIMITED',
      `This change would make ${entries.toLocaleString('en-US')} entries in the audit log, one for each queue or shard; ${room} Choose fewer queues, or ask an administrator, who has no limit.`,
      { retryAfterMs },
    );
  const more = entries === 1 ? 'an entry' : `${entries.toLocaleString('en-US')} entries`;
  return new RedriveError(
    'RATE_LIMITED',
    `This change needs room for ${more} in the audit log, and your changes within an hour leave less: ${room} ${retryText(retryAfterMs)}, use one operation for many jobs, or ask an administrator, who has no limit.`,
    { retryAfterMs },
  );
}
