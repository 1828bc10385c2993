'use client';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { paths } from '@/lib/contract/api-paths';
import type {
  ConfigPatch,
  ConfigReply,
  drainRequestSchema,
  shardingSchema,
} from '@/lib/contract/queues/queue-config';
import { type ApiError, request } from '../api/api-client';
import { type Streamed, useStreamed } from '../api/hydration';
import { queryDefaults, useApiQuery, useWrite } from '../api/query-defaults';
import { keys, staleAfterSettingsOf } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
import { useLiveStatus } from '../live/live-provider';

/** Settings change seldom; another user's change shows within this time. */
const REFETCH_MS = 5_000;

const configOptions = (queue: string, offline: boolean) => ({
  ...queryDefaults,
  queryKey: keys.config(queue),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    request(paths.config(queue), { schema: reply('configReplySchema'), signal }),
  refetchInterval: offline ? (false as const) : REFETCH_MS,
});

/** A queue's settings, draining state and shards. */
export function useQueueConfig(
  queue: string,
  { enabled = true }: { enabled?: boolean } = {},
): Streamed<ConfigReply> {
  const offline = useLiveStatus() === 'offline';
  const query = useQuery<ConfigReply, ApiError>({ ...configOptions(queue, offline), enabled });
  // Another part of the page may have read it already.
  return useStreamed(query, keys.config(queue));
}

/** Changes that users made to a queue, newest first. */
export function useChanges(queue: string) {
  const offline = useLiveStatus() === 'offline';
  const query = useApiQuery(keys.changes(queue), paths.changes(queue), reply('queueChangesSchema'), {
    refetchInterval: offline ? false : REFETCH_MS,
  });
  return useStreamed(query, keys.changes(queue));
}

interface OfQueue {
  queue: string;
}
const staleAfterChange = ({ queue }: OfQueue) => staleAfterSettingsOf(queue);

/** Changes the given settings; with `ifRevision` not over another user's change (`CONFIG_CHANGED`). */
export const useChangeConfig = () =>
  useWrite({
    send: ({ queue, ...body }: ConfigPatch & OfQueue) => ({
      method: 'PATCH',
      path: paths.config(queue),
      body,
    }),
    schema: reply('configReplySchema'),
    stale: staleAfterChange,
  });

/** Starts or stops draining. */
export const useDrain = () =>
  useWrite({
    send: ({ queue, ...body }: z.input<typeof drainRequestSchema> & OfQueue) => ({
      method: 'POST',
      path: paths.drain(queue),
      body,
    }),
    schema: reply('configReplySchema'),
    stale: staleAfterChange,
  });

/** Spreads a queue over more hash slots; possible while it holds no jobs. */
export const useSetSharding = () =>
  useWrite({
    send: ({ queue, ...body }: z.input<typeof shardingSchema> & OfQueue) => ({
      method: 'PUT',
      path: paths.sharding(queue),
      body,
    }),
    schema: reply('configReplySchema'),
    stale: staleAfterChange,
  });
