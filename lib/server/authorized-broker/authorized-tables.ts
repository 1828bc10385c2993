/** How a user wants tables: theirs alone, whatever else they may see. */
import { tablesOwner } from '@/lib/contract/access/tables-owner';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { TableSettings } from '@/lib/format/column-settings';
import { getBroker } from '../console-broker';
import type { RequestContext } from './request-context';

export function authorizedTables({ principal }: RequestContext) {
  return {
    /** Null: nothing was chosen. @param as with AUTH=none, the name that is given just now */
    get: async (as = principal): Promise<TableSettings | null> => {
      const owner = tablesOwner(as);
      return owner === null ? null : getBroker().access.tables.get(owner);
    },
    /** @throws RedriveError FORBIDDEN for a token, and with AUTH=none for a user without a name */
    save: async (settings: TableSettings): Promise<TableSettings> => {
      const owner = tablesOwner(principal);
      if (owner === null)
        throw new RedriveError(
          'FORBIDDEN',
          principal.method === 'token'
            ? 'An API token has no tables. Sign in to choose how they look.'
            : 'Only a user with a name can save how tables look. State your name first.',
        );
      await getBroker().access.tables.save(owner, settings);
      return settings;
    },
  };
}
