/**
 * How many audit events one user may cause, with all their sessions and tokens and in all consoles: so many that no person meets the bound, and so few
 * that nobody can push the history out of the log within days. A change beyond it is refused; a change that is made is always on record.
 */
import { AUDIT_ENTRIES_MAX } from '@/lib/broker/audit/trim';
import { RedriveError } from '@/lib/contract/errors';
import { isEverywhere } from '@/lib/contract/permissions';
import { getBroker } from '../broker';
import { readEnv } from '../env';
import { log } from '../log';
import { singleton } from '../singleton';
import { holderOf, type Principal, withinOf } from './principal';

const HOUR_MS = 3_600_000;
/** Changes on record, counted as they come into the log: of a sharded queue each shard is one, and of an operation each queue. */
export const CHANGES_AN_HOUR = 2_500;
/** Sessions begun, and identities confirmed at the provider: they are changes of nothing, and a user who is refused changes may still come in and look. */
export const SIGN_INS_AN_HOUR = 600;
/** A user at the bound is noticed this much later, and no request waits for Redis more often. */
const LOOK_EVERY_MS = 1_000;
const LOOKED_MAX = 10_000;

const limitOf = (anHour: number): number =>
  Math.round(anHour * Math.max(1, readEnv(process.env).REDRIVE_RATE_FACTOR));
const changesOf = (owner: string) => ({ kind: 'user', key: `changes ${owner}` }) as const;
const stretchOf = (anHour: number) => ({ limit: limitOf(anHour), windowMs: HOUR_MS });

/** Ms of performance.now() until which the answer holds, and how long to wait; 0: go on. */
const looked = singleton('change-shares', () => new Map<string, { untilMs: number; waitMs: number }>());

/** An administrator always has room, and so has whoever sits at this machine. @throws RedriveError RATE_LIMITED */
export async function requireChangeShare(principal: Principal): Promise<void> {
  const holder = holderOf(principal);
  if (holder === null || principal.way === 'link' || isEverywhere(withinOf(principal, 'audit'))) return;
  // What an operation of a token leaves later is counted under the token.
  for (const owner of new Set([holder, principal.id])) {
    const waitMs = await waitOf(owner);
    if (waitMs === 0) continue;
    throw new RedriveError(
      'RATE_LIMITED',
      `You have made ${limitOf(CHANGES_AN_HOUR).toLocaleString('en-US')} changes within an hour, with all your tokens, which is as many as the audit log takes of one user (it holds ${AUDIT_ENTRIES_MAX.toLocaleString('en-US')} entries). Nothing was changed. ${afterText(waitMs)}, use one operation for many jobs, or ask an administrator, who has no such limit.`,
      { retryAfterMs: waitMs },
    );
  }
}

async function waitOf(owner: string): Promise<number> {
  const now = performance.now();
  const known = looked().get(owner);
  if (known && known.untilMs > now) return known.waitMs;
  // Redis is away: then the change fails by itself, and says so.
  const answer = await getBroker()
    .access.attempts.look(changesOf(owner), stretchOf(CHANGES_AN_HOUR))
    .catch(() => null);
  if (answer === null) return 0;
  if (looked().size >= LOOKED_MAX) looked().clear();
  const waitMs = answer.allowed ? 0 : Math.max(1, answer.retryAfterMs);
  looked().set(owner, { untilMs: now + LOOK_EVERY_MS, waitMs });
  return waitMs;
}

/** Counts what came into the log. Never rejects: what is not counted is on record all the same. */
export async function chargeChanges(byOwner: ReadonlyMap<string, number>): Promise<void> {
  const { attempts } = getBroker().access;
  for (const [owner, count] of byOwner)
    await attempts
      .add(changesOf(owner), stretchOf(CHANGES_AN_HOUR), count)
      .catch((error: unknown) => log().warn({ err: error, owner, count }, 'audit events were not counted'));
}

/** @throws RedriveError RATE_LIMITED | REDIS_UNAVAILABLE | UNKNOWN_OUTCOME */
export async function takeSignInShare(personId: string): Promise<void> {
  const { allowed, retryAfterMs } = await getBroker().access.attempts.take(
    { kind: 'user', key: `sign-ins ${personId}` },
    stretchOf(SIGN_INS_AN_HOUR),
  );
  if (allowed) return;
  throw new RedriveError(
    'RATE_LIMITED',
    `You have signed in ${limitOf(SIGN_INS_AN_HOUR)} times within an hour, which is as often as one user may. ${afterText(retryAfterMs)}; programs use API tokens, which need no sign-in.`,
    { retryAfterMs },
  );
}

function afterText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return `Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`;
}
