/** Saved searches: queries with a name, of one user or shared. */

import { type AccessScope, FULL_SCOPE, scopeCovers } from '@/lib/contract/access/grant-scopes';
import { RedriveError } from '@/lib/contract/redrive-error';
import { parseQueryOrThrow } from '@/lib/contract/search/query';
import {
  type SavedSearch,
  type SavedSearchInput,
  type StoredSearch,
  savedSearchSchema,
  storedSearchSchema,
} from '@/lib/contract/search/search-schemas';
import { type Actor, actorJson } from '../access/actor';
import { quotaArg, throwIfOverQuota } from '../access/quota-check';
import { changeText } from '../audit/change-text';
import { idFrom } from '../jobs/job-id';
import type { BrokerContext } from '../redis/broker-context';
import { parseJsonRow } from '../redis/parse-json';
import { serverNow } from '../redis/server-info';

/** Owner of searches. A name alone is its own id. */
export interface SearchOwner {
  readonly id: string;
  readonly name: string;
  /** A search is shared with users who see all that its owner saw. Left out: everything. */
  readonly within?: AccessScope;
}
const asSearcher = (owner: string | SearchOwner): SearchOwner =>
  typeof owner === 'string' ? { id: owner, name: owner } : owner;

export function savedSearchVerbs(ctx: BrokerContext) {
  return {
    /** The user's own and shared ones, by name. */
    list: (owner: string | SearchOwner) => listSearches(ctx, asSearcher(owner)),
    /** One for each name and user: saving again replaces it. @throws RedriveError VALIDATION | BAD_QUERY | LIMIT_REACHED */
    save: (input: SavedSearchInput, owner: string | SearchOwner, by?: Actor) =>
      saveSearch(ctx, input, asSearcher(owner), by),
    /** @throws RedriveError SEARCH_NOT_FOUND, or FORBIDDEN for another user's shared search */
    remove: (id: string, owner: string | SearchOwner, by?: Actor) =>
      removeSearch(ctx, id, asSearcher(owner), by),
  };
}

const isOwn = (search: StoredSearch, { id }: SearchOwner): boolean => (search.ownerId ?? search.owner) === id;
const isSharedWith = (search: StoredSearch, { within = FULL_SCOPE }: SearchOwner): boolean =>
  search.shared && scopeCovers(within, search.within ?? FULL_SCOPE);

async function listSearches(ctx: BrokerContext, owner: SearchOwner): Promise<SavedSearch[]> {
  const rows = await ctx.plain((redis) => redis.hvals(ctx.keys.global('searchesRecords')));
  return rows
    .flatMap((row) => parse(row) ?? [])
    .filter((search) => isOwn(search, owner) || isSharedWith(search, owner))
    .map(shown)
    .sort((a, b) => compare(a.name, b.name) || compare(a.owner, b.owner));
}

/** Without internal fields. */
const shown = (search: StoredSearch): SavedSearch => savedSearchSchema.parse(search);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function saveSearch(
  ctx: BrokerContext,
  { name, q, shared }: SavedSearchInput,
  owner: SearchOwner,
  by: Actor = { actor: owner.name },
): Promise<SavedSearch> {
  parseQueryOrThrow(q);
  const search: StoredSearch = {
    // By owner and name: a request sent twice saves one search, and no user can replace another's.
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
  const change = [wordsOf(parse(old)), wordsOf(search)];
  const quotaOwner = { ...BY_NAME, ...by.quotaOwner, id: owner.id, name: owner.name };
  const args = [search.id, JSON.stringify(search), quotaArg('searches', { ...by, quotaOwner })];
  const reply = await ctx.run('searches-save', null, [...args, actorJson(by), ...change]);
  await throwIfOverQuota(ctx, reply, ctx.keys.global('searchesShares'), { ...by, quotaOwner }, 'name');
  return shown(search);
}

/** Calls of the library have no limited scope. */
const BY_NAME = { tenants: [], isAdmin: false, seesAll: true } as const;

/** For the audit log. */
const wordsOf = (search: SavedSearch | null): string =>
  search ? changeText(JSON.stringify({ name: search.name, shared: search.shared, q: search.q })) : '';

async function removeSearch(
  ctx: BrokerContext,
  id: string,
  owner: SearchOwner,
  by: Actor = { actor: owner.name },
): Promise<void> {
  const key = ctx.keys.global('searchesRecords');
  const row = await ctx.plain((redis) => redis.hget(key, id));
  const search = parse(row);
  // An unreadable one has no owner, and may be removed.
  if (search && !isOwn(search, owner)) {
    if (!isSharedWith(search, owner)) throw notFound(id);
    throw new RedriveError(
      'FORBIDDEN',
      `"${search.name}" belongs to ${search.owner}; only its owner can delete it.`,
      { fields: [{ field: 'id', message: 'belongs to another user' }] },
    );
  }
  // An id has one owner for ever: no other user's search can have it by now.
  if ((await ctx.run('searches-save', null, [id, '', '', actorJson(by), wordsOf(search), ''])) !== 1)
    throw notFound(id);
}

const notFound = (id: string) =>
  new RedriveError(
    'SEARCH_NOT_FOUND',
    `There is no saved search ${id.slice(0, 60)}. It may have been deleted.`,
    { fields: [{ field: 'id', message: 'names no saved search' }] },
  );

/** Null for an unreadable record, so that the others can be listed. */
const parse = (row: string | null): StoredSearch | null => parseJsonRow(storedSearchSchema, row);
