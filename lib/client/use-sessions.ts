'use client';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import {
  endedSchema,
  passwordChangedSchema,
  type passwordChangeSchema,
  type SessionView,
  sessionsPageSchema,
} from '@/lib/contract/access';
import { paths } from '@/lib/contract/api';
import { type ApiError, request } from './api';
import { keys } from './keys';
import { queryDefaults, useWrite } from './query-options';

/** Where one is signed in, latest use first. */
export function useSessions(): UseQueryResult<SessionView[], ApiError> {
  return useQuery<SessionView[], ApiError>({
    ...queryDefaults,
    queryKey: keys.sessions(),
    queryFn: async ({ signal }) => {
      const { sessions } = await request(paths.sessions(), { schema: sessionsPageSchema, signal });
      return sessions.sort((a, b) => Number(b.current) - Number(a.current) || b.seenAt - a.seenAt);
    },
  });
}

export function useEndSession() {
  return useWrite({
    run: ({ id }: { id: string }) =>
      request(paths.accessSession(id), { method: 'DELETE', schema: z.unknown() }),
    stale: () => [keys.sessions()],
  });
}

/** One's own. Here one goes on under a new session, everywhere else one is signed out. */
export function useChangePassword() {
  return useWrite({
    run: (body: z.input<typeof passwordChangeSchema>) =>
      request(paths.sessionPassword(), { method: 'POST', body, schema: passwordChangedSchema }),
    stale: () => [keys.sessions(), keys.me()],
  });
}

/** Signs out everywhere but here. */
export function useEndOtherSessions() {
  return useWrite<void, { ended: number }>({
    run: () => request(paths.sessions(), { method: 'DELETE', schema: endedSchema }),
    stale: () => [keys.sessions()],
  });
}
