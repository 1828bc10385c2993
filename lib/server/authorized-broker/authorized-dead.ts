/** Search over all queues: only jobs that the principal may see are read and counted. */
import type { z } from 'zod';
import type {
  Facets,
  Group,
  GroupChange,
  GroupsPage,
  SearchEvent,
  SearchPage,
  Suggestion,
  searchQuerySchema,
  streamQuerySchema,
  suggestQuerySchema,
} from '@/lib/contract/search/search-schemas';
import {
  requireEverywhere,
  requirePartOfQueue,
  requirePermission,
} from '../authorization/require-permission';
import { getBroker } from '../console-broker';
import { type RequestContext, requestActor, requireQueue, scopeLimit } from './request-context';

export function authorizedDead(context: RequestContext) {
  const { principal } = context;
  const seen = () => {
    requirePermission(principal, 'view');
    return scopeLimit(principal, 'view');
  };
  return {
    /** A query may name an unknown queue: nothing matches. */
    search(
      { q, cursor, limit }: z.output<typeof searchQuerySchema>,
      signal: AbortSignal,
    ): Promise<SearchPage> {
      return getBroker().inspect.search({ state: 'dead', q, ...seen() }, { cursor, limit, signal });
    },
    async *stream(
      { q, ...options }: z.output<typeof streamQuerySchema>,
      signal: AbortSignal,
    ): AsyncGenerator<SearchEvent, void> {
      yield* getBroker().inspect.searchStream({ state: 'dead', q, ...seen() }, { ...options, signal });
    },
    facets: (q: string): Promise<Facets> => getBroker().inspect.facets({ q, ...seen() }),
    groups: (q: string, facets = false): Promise<GroupsPage> =>
      getBroker().inspect.groups({ q, facets, ...seen() }),
    group: (id: string): Promise<Group> => getBroker().inspect.group(id, seen().within),
    /** A failure group spans all queues. */
    changeGroup(id: string, change: GroupChange): Promise<Group> {
      requireEverywhere(principal, 'operate');
      return getBroker().groups.change(id, change, requestActor(context));
    },
    async suggest(query: z.output<typeof suggestQuerySchema>): Promise<Suggestion[]> {
      const { within } = seen();
      if (query.queue !== undefined) {
        requirePartOfQueue(principal, 'view', query.queue);
        await requireQueue(query.queue);
      }
      return getBroker().inspect.suggest({ ...query, ...(within ? { within } : {}) });
    },
  };
}
