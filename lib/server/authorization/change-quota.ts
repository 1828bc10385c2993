/**
 * How many audit events one user may cause, with all their sessions and tokens and in all consoles. Ordinary work stays far below it, and
 * one user cannot push the history out of the log within days. A change beyond the quota is refused; a change that is made is always recorded.
 */
import { LRUCache } from 'lru-cache';
import { AUDIT_ENTRIES_MAX } from '@/lib/broker/audit/trim-log';
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import { HOUR_MS } from '@/lib/contract/time-units';
import { getBroker } from '../console-broker';
import { log } from '../console-log';
import { readEnv } from '../environment';
import { singleton } from '../singleton';
import { type Principal, quotaOwnerId, scopeOf } from './principal';

/** Counted when they enter the log: each shard of a sharded queue is one, and each queue of an operation. */
export const CHANGES_AN_HOUR = 2_500;
/** Sign-ins and re-authentications at the provider have their own quota: a user without changes left may still sign in and read. */
export const SIGN_INS_AN_HOUR = 600;
/** How long an answer of Redis is reused: a user at the limit is refused this much later. */
const WAIT_TTL_MS = 1_000;
const WAITS_MAX = 10_000;

const limitOf = (anHour: number): number =>
  Math.round(anHour * Math.max(1, readEnv(process.env).REDRIVE_RATE_FACTOR));
const changesOf = (owner: string) => ({ kind: 'user', key: `changes ${owner}` }) as const;
const stretchOf = (anHour: number) => ({ limit: limitOf(anHour), windowMs: HOUR_MS });

/** How long each owner has to wait, in ms; 0: continue. */
const waits = singleton(
  'change-shares',
  () => new LRUCache<string, number>({ max: WAITS_MAX, ttl: WAIT_TTL_MS }),
);

/** Administrators and users of the sign-in link have no quota. @throws RedriveError RATE_LIMITED */
export async function requireChangeQuota(principal: Principal): Promise<void> {
  const holder = quotaOwnerId(principal);
  if (holder === null || principal.method === 'link' || isFullScope(scopeOf(principal, 'audit'))) return;
  // Later audit events of a token's operation are counted under the token.
  for (const owner of new Set([holder, principal.id])) {
    const waitMs = await waitOf(owner);
    if (waitMs === 0) continue;
    throw new RedriveError(
      'RATE_LIMITED',
      `You have made ${limitOf(CHANGES_AN_HOUR).toLocaleString('en-US')} changes within an hour, with all your tokens, the limit of one user in the audit log (it holds ${AUDIT_ENTRIES_MAX.toLocaleString('en-US')} entries). Nothing was changed. ${afterText(waitMs)}, use one operation for many jobs, or ask an administrator, who has no limit.`,
      { retryAfterMs: waitMs },
    );
  }
}

async function waitOf(owner: string): Promise<number> {
  const known = waits().get(owner);
  if (known !== undefined) return known;
  // Without Redis the change fails anyway.
  const answer = await getBroker()
    .access.attempts.look(changesOf(owner), stretchOf(CHANGES_AN_HOUR))
    .catch(() => null);
  if (answer === null) return 0;
  const waitMs = answer.allowed ? 0 : Math.max(1, answer.retryAfterMs);
  waits().set(owner, waitMs);
  return waitMs;
}

/** Counts new audit events. Never rejects: an event that is not counted is still recorded. */
export async function countChanges(byOwner: ReadonlyMap<string, number>): Promise<void> {
  const { attempts } = getBroker().access;
  for (const [owner, count] of byOwner)
    await attempts
      .add(changesOf(owner), stretchOf(CHANGES_AN_HOUR), count)
      .catch((error: unknown) => log().warn({ err: error, owner, count }, 'audit events were not counted'));
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
