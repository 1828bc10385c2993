/** People: who was here, and what was given to them. */

import { RedriveError } from '@/lib/contract/errors';
import type { Grant } from '@/lib/contract/permissions';
import type { BrokerContext } from '../context';
import type { GlobalKey } from '../keys';
import { type Actor, actorNote } from '../note';
import { numbers } from '../reply';
import { checkPersonId, grantsText, NO_QUEUE, plain } from './ids';
import { readGiven, readSeen, type StoredPerson } from './person-row';
import { PEOPLE_MAX } from './sessions';

export interface PersonChange {
  /** Null: what their file or their groups say. */
  grants?: readonly Grant[] | null;
  disabled?: boolean;
}

export const personVerbs = (ctx: BrokerContext) => ({
  /** All that are known, at most some 20,000, in no order. */
  list: () => listPeople(ctx),
  get: (id: string) => getPerson(ctx, id),
  /**
   * Counts from their next request on. Who is disabled has no session any more. Replies how many sessions that ended.
   * @param name for the record: ids say nothing to its readers
   * @throws RedriveError VALIDATION for a change of one's own access, or grants that are no grants | LIMIT_REACHED
   */
  change: (id: string, change: PersonChange, by: Actor, name?: string) =>
    changePerson(ctx, id, change, { by, name }),
});

async function getPerson(ctx: BrokerContext, id: string): Promise<StoredPerson> {
  const field = checkPersonId(id);
  const [seen, given] = await Promise.all(
    (['accessPeople', 'accessGrants'] as const).map((key) =>
      ctx.plain((redis) => redis.hget(ctx.keys.global(key), field)),
    ),
  );
  return { id, seen: readSeen(seen ?? ''), ...readGiven(given ?? '') };
}

async function listPeople(ctx: BrokerContext): Promise<StoredPerson[]> {
  const [seen, given] = [await rowsOf(ctx, 'accessPeople'), await rowsOf(ctx, 'accessGrants')];
  return [...new Set([...seen.keys(), ...given.keys()])].map((id) => ({
    id,
    seen: readSeen(seen.get(id) ?? ''),
    ...readGiven(given.get(id) ?? ''),
  }));
}

const AT_ONCE = 500;
/** Twice as many as fill the hash: a walk may see a row again while the hash is being rearranged. */
const TURNS_MAX = (2 * PEOPLE_MAX) / AT_ONCE;

async function rowsOf(ctx: BrokerContext, key: GlobalKey): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  let cursor = '0';
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const [next, found] = await ctx.plain((redis) =>
      redis.hscan(ctx.keys.global(key), cursor, 'COUNT', AT_ONCE),
    );
    for (let i = 0; i + 1 < found.length; i += 2) rows.set(found[i] ?? '', found[i + 1] ?? '');
    cursor = next;
    if (cursor === '0') break;
  }
  return rows;
}

async function changePerson(
  ctx: BrokerContext,
  id: string,
  { grants, disabled }: PersonChange,
  { by, name }: { by: Actor; name: string | undefined },
): Promise<number> {
  // Else the last one who may could shut everybody out, themselves included, and nobody could undo it.
  if (by.actorId === id)
    throw new RedriveError(
      'VALIDATION',
      'Nobody changes their own access: ask somebody else who may, so that one of you always can.',
      { fields: [{ field: 'id', message: 'is yourself' }] },
    );
  const reply = await ctx.run('person-change', NO_QUEUE, [
    checkPersonId(id),
    grants === undefined ? '' : grants === null ? '-' : grantsText(grants),
    disabled === undefined ? '' : disabled ? 1 : 0,
    JSON.stringify({ by: by.actor.slice(0, 100), reason: by.reason?.slice(0, 300) ?? '' }),
    actorNote(by),
    PEOPLE_MAX,
    name === undefined ? '' : JSON.stringify(plain(name, 100)),
  ]);
  const [ended = 0] = numbers([reply], 'person-change');
  if (ended < 0)
    throw new RedriveError(
      'LIMIT_REACHED',
      `${PEOPLE_MAX} people have access of their own here already. Give roles to groups of the identity provider instead.`,
    );
  return ended;
}
