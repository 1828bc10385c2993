/** Names, notes, resolves or mutes a failure group. */
import {
  type Group,
  type GroupChange,
  type GroupNote,
  groupChangeSchema,
  groupIdSchema,
} from '@/lib/contract/dead';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import type { Within } from '@/lib/contract/permissions';
import { changeText } from '../audit/change-text';
import { type Actor, actorNote } from '../note';
import { serverNow } from '../now';
import type { ShardedContext } from '../shards';
import { limitReached, shareArg, shareRefusal } from '../shares';
import { parseNote, statusOf } from './group-notes';
import { groupById } from './groups';

/** The script touches no queue, but every script call names one. */
const NO_QUEUE = 'none';
const TRIES = 5;

/**
 * @param within what is shown of it is only what lies within, and there must be something
 * @throws RedriveError VALIDATION | GROUP_NOT_FOUND | LIMIT_REACHED
 */
export async function changeGroup(
  ctx: ShardedContext,
  id: string,
  input: GroupChange,
  by: Actor,
  within?: Within,
): Promise<Group> {
  const group = parseOrThrow(groupIdSchema, id, 'group');
  const change = parseOrThrow(groupChangeSchema, input, 'change');
  const known = await groupById(ctx, group, within);
  const key = ctx.keys.global('groupsNotes');
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const [had, now] = await Promise.all([ctx.plain((redis) => redis.hget(key, group)), serverNow(ctx)]);
    const before = parseNote(had);
    const next: GroupNote = {
      name: change.name === undefined ? (before?.name ?? null) : change.name,
      note: change.note === undefined ? (before?.note ?? null) : change.note,
      status: change.status ?? before?.status ?? 'open',
      changedBy: by.actor.slice(0, 100),
      changedAt: now,
      // A new word about it does not make it more resolved than it was.
      statusAt: change.status === undefined ? (before?.statusAt ?? now) : now,
      type: known.type,
      class: known.class,
      code: known.code,
    };
    const empty = next.name === null && next.note === null && next.status === 'open';
    const reply = await ctx.run('group-note', NO_QUEUE, [
      group,
      had ?? '',
      empty ? '' : JSON.stringify(next),
      shareArg('notes', by),
      actorNote(by),
      wordsOf(before),
      wordsOf(empty ? null : next),
    ]);
    if (reply === 1)
      return {
        ...known,
        name: next.name,
        note: next.note,
        status: empty ? 'open' : statusOf(next, known.lastSeen),
        changedBy: empty ? null : next.changedBy,
        changedAt: empty ? null : next.changedAt,
      };
    const refused = shareRefusal(reply);
    if (refused) throw await limitReached(ctx, ctx.keys.global('groupsShares'), refused, by, 'group');
  }
  throw new RedriveError(
    'CONFIG_CHANGED',
    'Others kept changing this failure group at the same moment. Look at it, and try again.',
    { fields: [{ field: 'group', message: 'was changed meanwhile' }] },
  );
}

/** For the audit log. */
const wordsOf = (note: GroupNote | null): string =>
  note ? changeText(JSON.stringify({ status: note.status, name: note.name, note: note.note })) : '';
