/** Saved searches: queries with a name, of one person or for everybody. */
import {
  type SavedSearch,
  type StoredSearch,
  savedSearchInputSchema,
  savedSearchSchema,
  storedSearchSchema,
} from '@/lib/contract/dead';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { covers, EVERYWHERE, type Within } from '@/lib/contract/permissions';
import { parseQueryOrThrow } from '@/lib/contract/query';
import { changeText } from './audit/change-text';
import type { BrokerContext } from './context';
import { idFrom } from './id';
import { type Actor, actorNote } from './note';
import { serverNow } from './now';
import { limitReached, shareArg, shareRefusal } from './shares';

/** Their script touches no queue, but every script call names one. */
const NO_QUEUE = 'none';

/** Whose they are. A name alone is its own id. */
export interface Searcher {
  readonly id: string;
  /** Shown to those they share with. */
  readonly name: string;
  /** What they see: a search is shared with those who see all that its owner saw. Left out: everything. */
  readonly within?: Within;
}
const asSearcher = (owner: string | Searcher): Searcher =>
  typeof owner === 'string' ? { id: owner, name: owner } : owner;

export function searchVerbs(ctx: BrokerContext) {
  return {
    /** A person's own, and what others share, by name. */
    list: (owner: string | Searcher) => listSearches(ctx, asSearcher(owner)),
    /** One a name and person: saving again replaces. @throws RedriveError VALIDATION | BAD_QUERY | LIMIT_REACHED */
    save: (input: unknown, owner: string | Searcher, by?: Actor) =>
      saveSearch(ctx, input, asSearcher(owner), by),
    /** @throws RedriveError SEARCH_NOT_FOUND, or FORBIDDEN for what somebody else shares */
    remove: (id: string, owner: string | Searcher, by?: Actor) =>
      removeSearch(ctx, id, asSearcher(owner), by),
  };
}

const isOwn = (search: StoredSearch, { id }: Searcher): boolean => (search.ownerId ?? search.owner) === id;
const isSharedWith = (search: StoredSearch, { within = EVERYWHERE }: Searcher): boolean =>
  search.shared && covers(within, search.within ?? EVERYWHERE);

async function listSearches(ctx: BrokerContext, owner: Searcher): Promise<SavedSearch[]> {
  const rows = await ctx.plain((redis) => redis.hvals(ctx.keys.global('searchesRecords')));
  return rows
    .flatMap((row) => parse(row) ?? [])
    .filter((search) => isOwn(search, owner) || isSharedWith(search, owner))
    .map(shown)
    .sort((a, b) => compare(a.name, b.name) || compare(a.owner, b.owner));
}

/** Without what is for us. */
const shown = (search: StoredSearch): SavedSearch => savedSearchSchema.parse(search);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function saveSearch(
  ctx: BrokerContext,
  input: unknown,
  owner: Searcher,
  by: Actor = { actor: owner.name },
): Promise<SavedSearch> {
  const { name, q, shared } = parseOrThrow(savedSearchInputSchema, input, 'search');
  parseQueryOrThrow(q);
  const search: StoredSearch = {
    // The same words for the same person and name: sent twice, it is saved once, and nobody can take another's place.
    id: idFrom('search', owner.id, name),
    name,
    q,
    shared,
    owner: owner.name,
    ownerId: owner.id,
    ...(owner.within ? { within: owner.within } : {}),
    createdAt: await serverNow(ctx),
  };
  const key = ctx.keys.global('searchesRecords');
  const old = await ctx.plain((redis) => redis.hget(key, search.id));
  const change = [wordsOf(old === null ? null : parse(old)), wordsOf(search)];
  const holder = { ...BY_NAME, ...by.holder, id: owner.id, name: owner.name };
  const args = [search.id, JSON.stringify(search), shareArg('searches', { ...by, holder })];
  const reply = await ctx.run('searches-save', NO_QUEUE, [...args, actorNote(by), ...change]);
  const refused = shareRefusal(reply);
  if (refused) {
    const shares = ctx.keys.global('searchesShares');
    throw await limitReached(ctx, shares, refused, { ...by, holder }, 'name');
  }
  return shown(search);
}

/** A name alone has no rights that would end anywhere. */
const BY_NAME = { tenants: [], isAdmin: false, seesAll: true } as const;

/** For the audit log. */
const wordsOf = (search: SavedSearch | null): string =>
  search ? changeText(JSON.stringify({ name: search.name, shared: search.shared, q: search.q })) : '';

async function removeSearch(
  ctx: BrokerContext,
  id: string,
  owner: Searcher,
  by: Actor = { actor: owner.name },
): Promise<void> {
  const key = ctx.keys.global('searchesRecords');
  const row = await ctx.plain((redis) => redis.hget(key, id));
  const search = row === null ? null : parse(row);
  // What cannot be read belongs to nobody, and goes.
  if (search && !isOwn(search, owner)) {
    if (!isSharedWith(search, owner)) throw notFound(id);
    throw new RedriveError(
      'FORBIDDEN',
      `"${search.name}" was shared by ${search.owner}, who alone may delete it. Save one of your own instead.`,
      { fields: [{ field: 'id', message: 'is of somebody else' }] },
    );
  }
  // An id is of one owner for ever, so nobody else's can have come in its place meanwhile.
  if ((await ctx.run('searches-remove', NO_QUEUE, [id, actorNote(by), wordsOf(search)])) !== 1)
    throw notFound(id);
}

const notFound = (id: string) =>
  new RedriveError(
    'SEARCH_NOT_FOUND',
    `There is no saved search ${id.slice(0, 60)}. It may have been deleted.`,
    { fields: [{ field: 'id', message: 'names no saved search' }] },
  );

/** An unreadable record is none: it must not take the list of all others with it. */
function parse(row: string): StoredSearch | null {
  try {
    return storedSearchSchema.safeParse(JSON.parse(row)).data ?? null;
  } catch {
    return null;
  }
}
