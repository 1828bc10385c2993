'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { type Me, type SignInOptions, signInOptionsSchema } from '@/lib/contract/access';
import { paths } from '@/lib/contract/api';
import { type ApiError, request } from './api';
import { keys } from './keys';
import { type PersonGate, personGate, type Question } from './person-gate';
import { queryDefaults, REFETCH_MS } from './query-options';
import { fetchMe } from './session-api';

/** What a person is asked just now, and where their answer goes. Whoever uses this is the dialog that asks. */
export function useQuestion(): { question: Question | null; answer: PersonGate['answer'] } {
  const question = useSyncExternalStore(personGate.subscribe, personGate.asked, () => null);
  const client = useQueryClient();
  useEffect(() => personGate.attend(), []);
  const answer = (asked: Question, done: boolean) => {
    personGate.answer(asked, done);
    // There is a new session, or a newer proof.
    if (done) void client.invalidateQueries({ queryKey: keys.me() });
  };
  return { question, answer };
}

/** Which ways in there are, and what the identity provider is called. */
export function useSignInOptions(): SignInOptions | undefined {
  return useQuery<SignInOptions, ApiError>({
    ...queryDefaults,
    queryKey: keys.signInOptions(),
    queryFn: ({ signal }) =>
      request(paths.signInOptions(), { schema: signInOptionsSchema, asks: false, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** Asks every two seconds, or so often, who one is now: signing in and proving can happen in another tab. Undefined: nobody, as far as is known. */
export function useMeAnew(everyMs = REFETCH_MS): Me | undefined {
  return useQuery<Me, ApiError>({
    queryKey: keys.meAnew(),
    queryFn: ({ signal }) => fetchMe(signal),
    networkMode: 'always',
    retry: false,
    gcTime: 0,
    staleTime: 0,
    refetchInterval: everyMs,
    refetchOnWindowFocus: true,
  }).data;
}
