/** Names, notes, resolves or mutes a failure group. */

import { type Actor, actorJson } from '@/lib/broker/access/actor';
import { quotaArg, throwIfOverQuota } from '@/lib/broker/access/quota-check';
import { changeText } from '@/lib/broker/audit/change-text';
import { serverNow } from '@/lib/broker/redis/server-info';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { AccessScope } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { Group, GroupChange, GroupNote } from '@/lib/contract/search/search-schemas';
import { groupStatusOf, parseGroupNote, readGroup } from './failure-groups';

const TRIES = 5;

/** @param within must have a dead letter of the group @throws RedriveError VALIDATION | GROUP_NOT_FOUND | LIMIT_REACHED */
export async function changeGroup(
  ctx: ShardedContext,
  group: string,
  change: GroupChange,
  by: Actor,
  within?: AccessScope,
): Promise<Group> {
  const current = await readGroup(ctx, group, within);
  const key = ctx.keys.global('groupsNotes');
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const [had, now] = await Promise.all([ctx.plain((redis) => redis.hget(key, group)), serverNow(ctx)]);
    const before = parseGroupNote(had);
    const next: GroupNote = {
      name: change.name === undefined ? (before?.name ?? null) : change.name,
      note: change.note === undefined ? (before?.note ?? null) : change.note,
      status: change.status ?? before?.status ?? 'open',
      changedBy: by.actor.slice(0, 100),
      changedAt: now,
      // A changed name or note does not resolve it anew.
      statusAt: change.status === undefined ? (before?.statusAt ?? now) : now,
      type: current.type,
      class: current.class,
      code: current.code,
    };
    const empty = next.name === null && next.note === null && next.status === 'open';
    const reply = await ctx.run('group-describe', null, [
      group,
      had ?? '',
      empty ? '' : JSON.stringify(next),
      quotaArg('notes', by),
      actorJson(by),
      wordsOf(before),
      wordsOf(empty ? null : next),
    ]);
    if (reply === 1)
      return {
        ...current,
        name: next.name,
        note: next.note,
        status: empty ? 'open' : groupStatusOf(next, current.lastSeen),
        changedBy: empty ? null : next.changedBy,
        changedAt: empty ? null : next.changedAt,
      };
    await throwIfOverQuota(ctx, reply, ctx.keys.global('groupsShares'), by, 'group');
  }
  throw new RedriveError(
    'CONFIG_CHANGED',
    'The failure group was changed by others at the same time. Reload it and try again.',
    { fields: [{ field: 'group', message: 'was changed by others' }] },
  );
}

/** For the audit log. */
const wordsOf = (note: GroupNote | null): string =>
  note ? changeText(JSON.stringify({ status: note.status, name: note.name, note: note.note })) : '';
