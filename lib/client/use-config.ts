'use client';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { paths } from '@/lib/contract/api';
import type { ConfigPatch, ConfigReply, drainRequestSchema, shardingSchema } from '@/lib/contract/config';
import { changesSchema, configReplySchema } from '@/lib/contract/config';
import type { ApiError } from './api';
import { request } from './api';
import { keys, staleAfterSettingsOf } from './keys';
import { useLiveStatus } from './live';
import { type Streamed, useHydrating, useStreamed } from './prefetched';
import { queryDefaults, useWrite } from './query-options';

/** Settings change seldom and by hand: what somebody else sets shows within this. */
const REFETCH_MS = 5_000;

const configOptions = (queue: string, offline: boolean) => ({
  ...queryDefaults,
  queryKey: keys.config(queue),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    request(paths.config(queue), { schema: configReplySchema, signal }),
  refetchInterval: offline ? (false as const) : REFETCH_MS,
});

/** The live settings of a queue, whether it drains and why, and its shards. */
export function useQueueConfig(
  queue: string,
  { enabled = true }: { enabled?: boolean } = {},
): Streamed<ConfigReply> {
  const offline = useLiveStatus() === 'offline';
  const query = useQuery<ConfigReply, ApiError>({ ...configOptions(queue, offline), enabled });
  // Another piece of the page may have asked for it already.
  return useStreamed(query, keys.config(queue), (reply: ConfigReply) => reply);
}

const NONE: ReadonlyMap<string, ConfigReply['draining']> = new Map();

/** The same of several queues: who drains them, and why. Those not known yet are left out. */
export function useDrainings(queues: readonly string[]): ReadonlyMap<string, ConfigReply['draining']> {
  const offline = useLiveStatus() === 'offline';
  const hydrating = useHydrating();
  const known = useQueries({
    queries: queues.map((queue) => configOptions(queue, offline)),
    combine: (results) =>
      new Map(results.flatMap(({ data }, i) => (data ? [[queues[i] ?? '', data.draining] as const] : []))),
  });
  return hydrating ? NONE : known;
}

type Changes = z.infer<typeof changesSchema>;

/** What people changed about a queue, newest first. */
export function useChanges(queue: string): Streamed<Changes> {
  const offline = useLiveStatus() === 'offline';
  const query = useQuery<Changes, ApiError>({
    ...queryDefaults,
    queryKey: keys.changes(queue),
    queryFn: ({ signal }) => request(paths.changes(queue), { schema: changesSchema, signal }),
    refetchInterval: offline ? false : REFETCH_MS,
  });
  return useStreamed(query, keys.changes(queue), (changes: Changes) => changes);
}

/** Changes the settings named; `ifRevision` refuses a change made over somebody else's (`CONFIG_CHANGED`). */
export function useChangeConfig() {
  return useWrite({
    run: ({ queue, ...body }: ConfigPatch & { queue: string }, idempotencyKey) =>
      request(paths.config(queue), { method: 'PATCH', body, schema: configReplySchema, idempotencyKey }),
    stale: ({ queue }) => staleAfterSettingsOf(queue),
  });
}

export type DrainInput = z.input<typeof drainRequestSchema> & { queue: string };

/** Refuses new jobs while the old ones finish, or takes them again. */
export function useDrain() {
  return useWrite({
    run: ({ queue, ...body }: DrainInput, idempotencyKey) =>
      request(paths.drain(queue), { method: 'POST', body, schema: configReplySchema, idempotencyKey }),
    stale: ({ queue }) => staleAfterSettingsOf(queue),
  });
}

/** Spreads a queue over more hash slots; possible while it holds no jobs. */
export function useSetSharding() {
  return useWrite({
    run: ({ queue, ...body }: z.input<typeof shardingSchema> & { queue: string }, idempotencyKey) =>
      request(paths.sharding(queue), { method: 'PUT', body, schema: configReplySchema, idempotencyKey }),
    stale: ({ queue }) => staleAfterSettingsOf(queue),
  });
}
