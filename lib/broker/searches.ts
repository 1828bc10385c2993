/** Saved searches: queries with a name, of one person or for everybody. */
import {
  type SavedSearch,
  SEARCHES_MAX,
  savedSearchInputSchema,
  savedSearchSchema,
} from '@/lib/contract/dead';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { parseQueryOrThrow } from '@/lib/contract/query';
import type { BrokerContext } from './context';
import { idFrom } from './id';
import { serverNow } from './now';

/** Their script touches no queue, but every script call names one. */
const NO_QUEUE = 'none';

export function searchVerbs(ctx: BrokerContext) {
  return {
    /** A person's own, and what others share, by name. */
    list: (owner: string) => listSearches(ctx, owner),
    /** One a name and person: saving again replaces. @throws RedriveError VALIDATION | BAD_QUERY | LIMIT_REACHED */
    save: (input: unknown, owner: string) => saveSearch(ctx, input, owner),
    /** @throws RedriveError SEARCH_NOT_FOUND, or FORBIDDEN for what somebody else shares */
    remove: (id: string, owner: string) => removeSearch(ctx, id, owner),
  };
}

async function listSearches(ctx: BrokerContext, owner: string): Promise<SavedSearch[]> {
  const rows = await ctx.plain((redis) => redis.hvals(ctx.keys.global('searchesRecords')));
  return rows
    .flatMap((row) => parse(row) ?? [])
    .filter((search) => search.shared || search.owner === owner)
    .sort((a, b) => compare(a.name, b.name) || compare(a.owner, b.owner));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function saveSearch(ctx: BrokerContext, input: unknown, owner: string): Promise<SavedSearch> {
  const { name, q, shared } = parseOrThrow(savedSearchInputSchema, input, 'search');
  parseQueryOrThrow(q);
  const search: SavedSearch = {
    // The same words for the same person and name: sent twice, it is saved once, and nobody can take another's place.
    id: idFrom('search', owner, name),
    name,
    q,
    shared,
    owner,
    createdAt: await serverNow(ctx),
  };
  const args = [search.id, JSON.stringify(search), SEARCHES_MAX];
  if ((await ctx.run('searches-save', NO_QUEUE, args)) === 1) return search;
  throw new RedriveError(
    'LIMIT_REACHED',
    `There are ${SEARCHES_MAX} saved searches already. Delete one that is no longer needed.`,
    { fields: [{ field: 'name', message: 'would be one saved search too many' }] },
  );
}

async function removeSearch(ctx: BrokerContext, id: string, owner: string): Promise<void> {
  const key = ctx.keys.global('searchesRecords');
  const row = await ctx.plain((redis) => redis.hget(key, id));
  const search = row === null ? null : parse(row);
  // What cannot be read belongs to nobody, and goes.
  if (search && search.owner !== owner) {
    if (!search.shared) throw notFound(id);
    throw new RedriveError(
      'FORBIDDEN',
      `"${search.name}" was shared by ${search.owner}, who alone may delete it. Save one of your own instead.`,
      { fields: [{ field: 'id', message: 'is of somebody else' }] },
    );
  }
  // An id is of one owner for ever, so nobody else's can have come in its place meanwhile.
  if ((await ctx.plain((redis) => redis.hdel(key, id))) === 0) throw notFound(id);
}

const notFound = (id: string) =>
  new RedriveError(
    'SEARCH_NOT_FOUND',
    `There is no saved search ${id.slice(0, 60)}. It may have been deleted.`,
    { fields: [{ field: 'id', message: 'names no saved search' }] },
  );

/** An unreadable record is none: it must not take the list of all others with it. */
function parse(row: string): SavedSearch | null {
  try {
    return savedSearchSchema.safeParse(JSON.parse(row)).data ?? null;
  } catch {
    return null;
  }
}
