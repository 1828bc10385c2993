'use client';
/** Who may do what: people, API tokens and sessions. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import {
  endedSchema,
  newTokenSchema,
  type PersonAccessChange,
  peoplePageSchema,
  personViewSchema,
  sessionsPageSchema,
  type TokenRequest,
  tokensPageSchema,
} from '@/lib/contract/access';
import { paths } from '@/lib/contract/api';
import { isEverywhere } from '@/lib/contract/permissions';
import { type ApiError, request, withQuery } from './api';
import { keys } from './keys';
import { useWithin } from './permissions';
import { queryDefaults, useWrite } from './query-options';

/** Nothing of this comes with the stream. */
const REFETCH_ACCESS_MS = 10_000;

/** Whether access is theirs to look after: it belongs to no queue, so part of the queues is not enough. */
export const useManages = (): boolean => isEverywhere(useWithin('access'));

export type PeoplePage = z.output<typeof peoplePageSchema>;
export type TokensPage = z.output<typeof tokensPageSchema>;
export type SessionsPage = z.output<typeof sessionsPageSchema>;

/** @param enabled false: not theirs to see */
export function usePeople(enabled: boolean): UseQueryResult<PeoplePage, ApiError> {
  return useQuery<PeoplePage, ApiError>({
    ...queryDefaults,
    enabled,
    queryKey: keys.people(),
    queryFn: ({ signal }) => request(paths.people(), { schema: peoplePageSchema, signal }),
    refetchInterval: REFETCH_ACCESS_MS,
  });
}

export function useTokens(all: boolean): UseQueryResult<TokensPage, ApiError> {
  return useQuery<TokensPage, ApiError>({
    ...queryDefaults,
    queryKey: keys.tokensPage(all),
    queryFn: ({ signal }) =>
      request(withQuery(paths.tokens(), { all: all ? 1 : null }), { schema: tokensPageSchema, signal }),
    refetchInterval: REFETCH_ACCESS_MS,
    placeholderData: keepPreviousData,
  });
}

export function useSessionsPage(all: boolean): UseQueryResult<SessionsPage, ApiError> {
  return useQuery<SessionsPage, ApiError>({
    ...queryDefaults,
    queryKey: keys.sessionsPage(all),
    queryFn: ({ signal }) =>
      request(withQuery(paths.sessions(), { all: all ? 1 : null }), { schema: sessionsPageSchema, signal }),
    refetchInterval: REFETCH_ACCESS_MS,
    placeholderData: keepPreviousData,
  });
}

/** What somebody may do from now on, or whether they are let in at all. */
export function useChangePerson() {
  return useWrite({
    run: ({ id, change }: { id: string; change: PersonAccessChange }, idempotencyKey) =>
      request(paths.accessPerson(id), {
        method: 'PATCH',
        body: change,
        schema: personViewSchema,
        idempotencyKey,
      }),
    stale: () => [keys.people(), keys.sessions()],
  });
}

/** The token is in this answer and nowhere else. */
export function useCreateToken() {
  return useWrite({
    run: (body: TokenRequest, idempotencyKey) =>
      request(paths.tokens(), { method: 'POST', body, schema: newTokenSchema, idempotencyKey }),
    stale: () => [keys.tokens()],
  });
}

export function useRevokeToken() {
  return useWrite({
    run: ({ id, reason }: { id: string; reason?: string }, idempotencyKey) =>
      request(paths.accessToken(id), {
        method: 'DELETE',
        body: { reason },
        schema: endedSchema,
        idempotencyKey,
      }),
    stale: () => [keys.tokens()],
  });
}

/** Somebody else's, with a reason; one's own is ended by `useEndSession`. */
export function useEndAnySession() {
  return useWrite({
    run: ({ id, reason }: { id: string; reason?: string }, idempotencyKey) =>
      request(paths.accessSession(id), {
        method: 'DELETE',
        body: { reason },
        schema: endedSchema,
        idempotencyKey,
      }),
    stale: () => [keys.sessions(), keys.people()],
  });
}
