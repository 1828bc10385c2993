/** Users: their profiles as of their last sign-in, and the grants given to them here. */
import type { Grant } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { BrokerContext } from '../redis/broker-context';
import type { GlobalKey } from '../redis/redis-keys';
import { SCAN_COUNT, scanHash } from '../redis/scan-hash';
import { replyNumber } from '../redis/script-reply';
import { checkUserId, grantsJson, oneLine } from './access-row-fields';
import { parseUser, type UserRecord } from './access-rows';
import { type Actor, actorJson } from './actor';
import { USERS_MAX } from './session-records';

export interface UserChange {
  /** Null: the grants of the users file or the identity provider's groups. */
  grants?: readonly Grant[] | null;
  disabled?: boolean;
}

export const USER_VERBS = { list: listUsers, get: getUser, change: changeUser };

export async function getUser(ctx: BrokerContext, id: string): Promise<UserRecord> {
  const field = checkUserId(id);
  const [seen, given] = await Promise.all(
    (['accessUsers', 'accessGrants'] as const).map((key) =>
      ctx.plain((redis) => redis.hget(ctx.keys.global(key), field)),
    ),
  );
  return parseUser(id, seen ?? '', given ?? '');
}

/** All users, at most some 20,000, in no order. */
async function listUsers(ctx: BrokerContext): Promise<UserRecord[]> {
  const [seen, given] = [await rowsOf(ctx, 'accessUsers'), await rowsOf(ctx, 'accessGrants')];
  return [...new Set([...seen.keys(), ...given.keys()])].map((id) =>
    parseUser(id, seen.get(id) ?? '', given.get(id) ?? ''),
  );
}

/** Twice as many as fill the hash: a scan may see a row again while Redis rearranges the hash. */
const SCANS_MAX = (2 * USERS_MAX) / SCAN_COUNT;

async function rowsOf(ctx: BrokerContext, key: GlobalKey): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  for await (const page of scanHash(ctx, ctx.keys.global(key), SCANS_MAX))
    for (const [id, row] of page) rows.set(id, row);
  return rows;
}

/**
 * Counts from the user's next request on; disabling ends all sessions. Replies how many sessions ended.
 * @param name for the audit log, since ids mean nothing to readers
 * @throws RedriveError VALIDATION for a change of one's own access, or wrong grants | LIMIT_REACHED
 */
async function changeUser(
  ctx: BrokerContext,
  id: string,
  { grants, disabled }: UserChange,
  by: Actor,
  name?: string,
): Promise<number> {
  // Else the last administrator could lock out everybody.
  if (by.actorId === id)
    throw new RedriveError('VALIDATION', 'You cannot change your own access. Ask another administrator.', {
      fields: [{ field: 'id', message: 'is yourself' }],
    });
  const reply = await ctx.run('user-change', null, [
    checkUserId(id),
    grants === undefined ? '' : grants === null ? '-' : grantsJson(grants),
    disabled === undefined ? '' : disabled ? 1 : 0,
    JSON.stringify({ by: by.actor.slice(0, 100), reason: by.reason?.slice(0, 300) ?? '' }),
    actorJson(by),
    USERS_MAX,
    name === undefined ? '' : JSON.stringify(oneLine(name, 100)),
  ]);
  const ended = replyNumber(reply, 'user-change');
  if (ended < 0)
    throw new RedriveError(
      'LIMIT_REACHED',
      `${USERS_MAX} users have grants of their own here already. Give roles to groups of the identity provider instead.`,
    );
  return ended;
}
