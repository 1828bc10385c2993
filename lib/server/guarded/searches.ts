/** Saved searches: of a person, or shared with those who see as much as they do. */
import type { z } from 'zod';
import type { SavedSearch, savedSearchInputSchema } from '@/lib/contract/dead';
import { need } from '../access/need';
import { getBroker } from '../broker';
import { actor, type Caller, narrowed } from './caller';

export function guardedSearches(caller: Caller) {
  const { principal } = caller;
  /** AUTH=none: everybody has the same id, and is told apart by the name they gave. */
  const owner = () => {
    need(principal, 'view');
    const { id, name, way } = principal;
    return { id: way === 'none' ? name : id, name, ...narrowed(principal, 'view') };
  };
  return {
    list: (): Promise<SavedSearch[]> => getBroker().searches.list(owner()),
    save: (input: z.output<typeof savedSearchInputSchema>): Promise<SavedSearch> =>
      getBroker().searches.save(input, owner(), actor(caller)),
    remove: (id: string): Promise<void> => getBroker().searches.remove(id, owner(), actor(caller)),
  };
}
