'use client';
/** Users, API tokens and sessions. */
import { keepPreviousData } from '@tanstack/react-query';
import type { z } from 'zod';
import type {
  passwordChangeSchema,
  TokenRequest,
  userAccessChangeSchema,
} from '@/lib/contract/access/access-schemas';
import { isFullScope } from '@/lib/contract/access/grant-scopes';
import { paths } from '@/lib/contract/api-paths';
import { withQuery } from '../api/api-client';
import { useApiQuery, useWrite } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
import { useGrant } from './use-permissions';

/** The stream carries none of this. */
const REFETCH_ACCESS_MS = 10_000;
const PAGE_OPTIONS = { refetchInterval: REFETCH_ACCESS_MS, placeholderData: keepPreviousData } as const;

/** Whether the user administers access; a permission limited to some queues is not enough. */
export const useManagesAccess = (): boolean => isFullScope(useGrant('access'));

/** @param enabled false: not allowed */
export const useUsers = (enabled: boolean) =>
  useApiQuery(keys.users(), paths.users(), reply('usersPageSchema'), {
    enabled,
    refetchInterval: REFETCH_ACCESS_MS,
  });

export const useTokens = (all: boolean) =>
  useApiQuery(
    keys.tokensPage(all),
    withQuery(paths.tokens(), { all: all ? 1 : null }),
    reply('tokensPageSchema'),
    PAGE_OPTIONS,
  );

export const useSessionsPage = (all: boolean) =>
  useApiQuery(
    keys.sessionsPage(all),
    withQuery(paths.sessions(), { all: all ? 1 : null }),
    reply('sessionsPageSchema'),
    PAGE_OPTIONS,
  );

/** The user's own sessions: this one first, then by their latest use. */
export const useSessions = () =>
  useApiQuery(keys.sessions(), paths.sessions(), reply('sessionsPageSchema'), {
    select: ({ sessions }) =>
      sessions.toSorted((a, b) => Number(b.current) - Number(a.current) || b.seenAt - a.seenAt),
  });

/** Changes a user's grants, or disables or enables the user. */
export const useChangeUser = () =>
  useWrite({
    send: ({ id, change }: { id: string; change: z.input<typeof userAccessChangeSchema> }) => ({
      method: 'PATCH',
      path: paths.accessUser(id),
      body: change,
    }),
    schema: reply('userViewSchema'),
    stale: () => [keys.users(), keys.sessions()],
  });

/** Only this answer contains the token. */
export const useCreateToken = () =>
  useWrite({
    send: (body: TokenRequest) => ({ method: 'POST', path: paths.tokens(), body }),
    schema: reply('newTokenSchema'),
    stale: () => [keys.tokens()],
  });

export const useRevokeToken = () =>
  useWrite({
    send: ({ id, reason }: { id: string; reason?: string }) => ({
      method: 'DELETE',
      path: paths.accessToken(id),
      body: { reason },
    }),
    schema: reply('endedSchema'),
    stale: () => [keys.tokens()],
  });

/** Ends a session; that of another user with a reason. */
export const useEndSession = () =>
  useWrite({
    send: ({ id, reason }: { id: string; reason?: string }) => ({
      method: 'DELETE',
      path: paths.accessSession(id),
      body: { reason },
    }),
    schema: reply('endedSchema'),
    stale: () => [keys.sessions(), keys.users()],
  });

/** Ends all of the user's sessions except this one. */
export const useEndOtherSessions = () =>
  useWrite({
    send: () => ({ method: 'DELETE', path: paths.sessions() }),
    schema: reply('endedSchema'),
    stale: () => [keys.sessions()],
  });

/** Changes the user's own password; this browser gets a new session, all others end. */
export const useChangePassword = () =>
  useWrite({
    send: (body: z.input<typeof passwordChangeSchema>) => ({
      method: 'POST',
      path: paths.sessionPassword(),
      body,
    }),
    schema: reply('passwordChangedSchema'),
    stale: () => [keys.sessions(), keys.me()],
  });
