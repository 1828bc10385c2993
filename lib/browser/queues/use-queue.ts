'use client';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { QueueNumbers, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { type Streamed, useHydrating, usePrefetchedAll, useStreamedPart } from '../api/hydration';
import { keys } from '../api/query-keys';
import { useWatchedQueues } from '../live/live-provider';
import type { QueueView } from '../live/queue-view';
import { fetchQueue, snapshotOptions } from '../live/snapshot-requests';

const queueOptions = (client: Parameters<typeof snapshotOptions>[0], name: string) =>
  snapshotOptions<QueueView>(client, keys.queueNumbers(name), (signal) => fetchQueue(name, signal));

const numbersOf = ({ queue }: QueueView): QueueNumbers | null => queue;
const timeOf = ({ at }: QueueView): number | null => at;

/** Every number of one queue, kept fresh by the stream; null: there is no such queue. Renders only when a number changes. */
export function useQueue(name: string): Streamed<QueueNumbers | null> {
  useWatchedQueues(useMemo(() => [name], [name]));
  return useStreamedPart(queueOptions(useQueryClient(), name), numbersOf);
}

/** When the numbers of a queue were read. */
export const useQueueTime = (name: string): number | null | undefined =>
  useStreamedPart(queueOptions(useQueryClient(), name), timeOf).data;

/** Every number of some queues, in their order; those without numbers are left out. Pass the same array each time. */
export function useQueues(names: readonly string[]): QueueSnapshot[] {
  useWatchedQueues(names);
  const client = useQueryClient();
  const queries = useQueries({ queries: names.map((name) => queueOptions(client, name)) });
  const prefetched = usePrefetchedAll<QueueView>(names.map(keys.queueNumbers));
  const views = useHydrating() ? prefetched : queries.map(({ data }) => data);
  return views.flatMap((view) => (view?.queue ? { ...view.queue, at: view.at ?? 0 } : []));
}
