'use client';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { type Streamed, useHydrating, usePrefetchedAll, useStreamed } from '../api/hydration';
import { keys } from '../api/query-keys';
import { useWatchedQueues } from '../live/live-provider';
import { fetchQueue, type QueueView, snapshotOptions } from '../live/snapshot-requests';

const queueOptions = (client: Parameters<typeof snapshotOptions>[0], name: string) =>
  snapshotOptions<QueueView>(client, keys.queueNumbers(name), (signal) => fetchQueue(name, signal));

/** Every number of one queue, kept fresh by the stream. */
export function useQueue(name: string): Streamed<QueueView> {
  useWatchedQueues(useMemo(() => [name], [name]));
  return useStreamed(useQuery(queueOptions(useQueryClient(), name)), keys.queueNumbers(name));
}

/** Every number of some queues, in their order; those without numbers are left out. Pass the same array each time. */
export function useQueues(names: readonly string[]): QueueSnapshot[] {
  useWatchedQueues(names);
  const client = useQueryClient();
  const queries = useQueries({ queries: names.map((name) => queueOptions(client, name)) });
  const prefetched = usePrefetchedAll<QueueView>(names.map(keys.queueNumbers));
  const views = useHydrating() ? prefetched : queries.map(({ data }) => data);
  return views.flatMap((view) => view?.queue ?? []);
}
