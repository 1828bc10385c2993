/**
 * How many audit events one user may cause, with all their sessions and tokens and in all consoles. Ordinary work stays far below it, and
 * one user cannot push the history out of the log within days. A change beyond the quota is refused; a change that is made is always recorded.
 */
import { AUDIT_ENTRIES_MAX } from '@/lib/broker/audit/trim-log';
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import { HOUR_MS } from '@/lib/contract/time-units';
import { type Principal, quotaOwnerId, scopeOf } from '../authentication/principal';
import { getBroker } from '../console-broker';
import { readEnv } from '../environment';

/** Paid for before the change: one for each shard of a sharded queue, and for each queue of an operation. */
export const CHANGES_AN_HOUR = 2_500;
/** Sign-ins and re-authentications at the provider have their own quota: a user without changes left may still sign in and read. */
export const SIGN_INS_AN_HOUR = 600;

const limitOf = (anHour: number): number =>
  Math.round(anHour * Math.max(1, readEnv(process.env).REDRIVE_RATE_FACTOR));
const stretchOf = (anHour: number) => ({ limit: limitOf(anHour), windowMs: HOUR_MS });

export interface ChangeLimit {
  /** The user who pays, with all their tokens; null: without a limit. */
  readonly owner: string | null;
  readonly limit: number;
  readonly windowMs: number;
}

/** Administrators and users of the sign-in link have no limit. */
export function changeLimit(principal: Principal): ChangeLimit {
  const isUnlimited = principal.method === 'link' || isFullScope(scopeOf(principal, 'audit'));
  return { owner: isUnlimited ? null : quotaOwnerId(principal), ...stretchOf(CHANGES_AN_HOUR) };
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
    `This change needs room for ${more} in the audit log, and your changes within an hour leave less: ${room} ${afterText(retryAfterMs)}, use one operation for many jobs, or ask an administrator, who has no limit.`,
    { retryAfterMs },
  );
}

/** @throws RedriveError RATE_LIMITED | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function takeSignInQuota(userId: string): Promise<void> {
  const { allowed, retryAfterMs } = await getBroker().access.attempts.take(
    { kind: 'user', key: `sign-ins ${userId}` },
    stretchOf(SIGN_INS_AN_HOUR),
  );
  if (allowed) return;
  throw new RedriveError(
    'RATE_LIMITED',
    `You have signed in ${limitOf(SIGN_INS_AN_HOUR)} times within an hour, the limit of one user. ${afterText(retryAfterMs)}; programs should use API tokens, which need no sign-in.`,
    { retryAfterMs },
  );
}

function afterText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
}
