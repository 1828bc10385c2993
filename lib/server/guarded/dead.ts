/** Searching jobs, over all queues at once: only what somebody may see is looked at, and counted. */
import type { z } from 'zod';
import type {
  Facets,
  Group,
  GroupChange,
  GroupsPage,
  SearchPage,
  Suggestion,
  searchQuerySchema,
  streamQuerySchema,
  suggestQuerySchema,
} from '@/lib/contract/dead';
import { need, needEverywhere, needSomeOf } from '../access/need';
import { getBroker } from '../broker';
import { openSearch } from '../search-stream';
import { actor, type Caller, narrowed } from './caller';
import { requireQueue } from './exists';

export function guardedDead(caller: Caller) {
  const { principal } = caller;
  const seen = () => {
    need(principal, 'view');
    return narrowed(principal, 'view');
  };
  return {
    /** A queue that the query names and nobody knows is no mistake: nothing matches. */
    search(
      { q, cursor, limit }: z.output<typeof searchQuerySchema>,
      signal: AbortSignal,
    ): Promise<SearchPage> {
      return getBroker().inspect.search({ state: 'dead', q, ...seen() }, { cursor, limit, signal });
    },
    stream(
      query: z.output<typeof streamQuerySchema>,
      signal: AbortSignal,
    ): Promise<ReadableStream<Uint8Array>> {
      return openSearch(principal, { ...query, ...seen() }, signal);
    },
    facets: (q: string): Promise<Facets> => getBroker().inspect.facets({ q, ...seen() }),
    groups: (q: string): Promise<GroupsPage> => getBroker().inspect.groups({ q, ...seen() }),
    group: (id: string): Promise<Group> => getBroker().inspect.group(id, seen().within),
    /** A failure group is one for all queues, and so is what is said of it. */
    changeGroup(id: string, change: GroupChange): Promise<Group> {
      needEverywhere(principal, 'operate');
      return getBroker().groups.change(id, change, actor(caller));
    },
    async suggest(query: z.output<typeof suggestQuerySchema>): Promise<Suggestion[]> {
      const { within } = seen();
      if (query.queue !== undefined) {
        needSomeOf(principal, 'view', query.queue);
        await requireQueue(query.queue);
      }
      return getBroker().inspect.suggest({ ...query, ...(within ? { within } : {}) });
    },
  };
}
