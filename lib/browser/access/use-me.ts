'use client';
import { useQueryClient } from '@tanstack/react-query';
import type { Me } from '@/lib/contract/access/access-schemas';
import { paths } from '@/lib/contract/api-paths';
import type { TableSettings } from '@/lib/format/column-settings';
import { REFETCH_MS, useApiQuery, useWrite } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';

/** The current user with sign-in method and permissions; every page is rendered with it. */
export const useMe = () =>
  useApiQuery(keys.me(), paths.me(), reply('meSchema'), {
    staleTime: 60_000,
    // A page rendered while Redis was unreachable lacks the user, so it reads it soon.
    refetchInterval: ({ state }) => (state.data ? false : REFETCH_MS),
    // Changed permissions show on focus; the server applies them at once.
    refetchOnWindowFocus: true,
  });

/** AUTH=none only: without a sign-in, users give a name themselves. */
export const useRename = () =>
  useWrite({
    send: (body: { name: string }) => ({ method: 'PUT', path: paths.me(), body }),
    schema: reply('consoleUserSchema'),
    // Saved searches belong to a user.
    stale: () => [keys.me(), keys.searches()],
  });

/** How the user wants tables, kept with the account. */
export function useSaveTables() {
  const client = useQueryClient();
  return useWrite({
    send: (body: TableSettings) => ({ method: 'PUT', path: paths.myTables(), body }),
    schema: reply('tableSettingsSchema'),
    stale: () => [],
    onDone: (tables) => {
      // An answer under way may be of before.
      void client.cancelQueries({ queryKey: keys.me() });
      client.setQueryData(keys.me(), (me: Me | undefined) => me && { ...me, tables });
    },
  });
}
