'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Me, SignInOptions } from '@/lib/contract/access/access-schemas';
import { paths } from '@/lib/contract/api-paths';
import type { ApiError } from '../api/api-client';
import { REFETCH_MS, useApiQuery } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
import { type AuthQuestion, type ReauthGate, reauthGate } from './reauth-gate';
import { fetchMe } from './session-requests';

/** The open question and where its answer goes. Only the dialog that asks uses it. */
export function useAuthQuestion(): { question: AuthQuestion | null; answer: ReauthGate['answer'] } {
  const question = useSyncExternalStore(reauthGate.subscribe, reauthGate.asked, () => null);
  const client = useQueryClient();
  useEffect(() => reauthGate.attend(), []);
  const answer = (asked: AuthQuestion, done: boolean) => {
    reauthGate.answer(asked, done);
    // The session or the time of re-authentication is new.
    if (done) void client.invalidateQueries({ queryKey: keys.me() });
  };
  return { question, answer };
}

/** The sign-in methods and the identity provider's name. */
export function useSignInOptions(): SignInOptions | undefined {
  return useApiQuery(keys.signInOptions(), paths.signInOptions(), reply('signInOptionsSchema'), {
    asks: false,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** The current user, polled because a sign-in may happen in another tab. `refused`: the last answer knew none. */
export function usePolledMe(everyMs = REFETCH_MS): { me: Me | undefined; refused: boolean } {
  const { data: me, isError: refused } = useQuery<Me, ApiError>({
    queryKey: keys.meAnew(),
    queryFn: ({ signal }) => fetchMe(signal),
    networkMode: 'always',
    retry: false,
    gcTime: 0,
    staleTime: 0,
    refetchInterval: everyMs,
    refetchOnWindowFocus: true,
  });
  return { me, refused };
}
