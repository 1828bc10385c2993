'use client';
import type { z } from 'zod';
import { paths } from '@/lib/contract/api-paths';
import type { savedSearchInputSchema } from '@/lib/contract/search/search-schemas';
import { useApiQuery, useWrite } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';

const stale = () => [keys.searches()];

/** The user's saved searches and all shared ones, by name. */
export const useSavedSearches = () =>
  useApiQuery(keys.searches(), paths.searches(), reply('savedSearchesSchema'), {
    select: ({ searches }) => searches,
    staleTime: 10_000,
  });

/** Saving under a name the user has already replaces that search. */
export const useSaveSearch = () =>
  useWrite({
    send: (body: z.input<typeof savedSearchInputSchema>) => ({
      method: 'POST',
      path: paths.searches(),
      body,
    }),
    schema: reply('savedSearchSchema'),
    stale,
  });

export const useRemoveSearch = () =>
  useWrite({
    send: ({ id }: { id: string }) => ({ method: 'DELETE', path: paths.search(id) }),
    schema: reply('removedSchema'),
    stale,
  });
