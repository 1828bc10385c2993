/** Saved searches: private, or shared with principals of at least the same scope. */
import type { z } from 'zod';
import type { SavedSearch, savedSearchInputSchema } from '@/lib/contract/search/search-schemas';
import { requirePermission } from '../authorization/require-permission';
import { getBroker } from '../console-broker';
import { type RequestContext, requestActor, scopeLimit } from './request-context';

export function authorizedSearches(context: RequestContext) {
  const { principal } = context;
  /** AUTH=none: all users have one id, so the chosen name stands for it. */
  const owner = () => {
    requirePermission(principal, 'view');
    const { id, name, method } = principal;
    return { id: method === 'none' ? name : id, name, ...scopeLimit(principal, 'view') };
  };
  return {
    list: (): Promise<SavedSearch[]> => getBroker().searches.list(owner()),
    save: (input: z.output<typeof savedSearchInputSchema>): Promise<SavedSearch> =>
      getBroker().searches.save(input, owner(), requestActor(context)),
    remove: (id: string): Promise<void> => getBroker().searches.remove(id, owner(), requestActor(context)),
  };
}
