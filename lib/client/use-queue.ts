'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Overview, QueueSnapshot } from '@/lib/contract/queue';
import type { ApiError } from './api';
import { keys } from './keys';
import { type Streamed, useStreamed } from './prefetched';
import { overviewOptions } from './use-overview';

export interface QueueView {
  /** Null when the overview knows no such queue. */
  queue: QueueSnapshot | null;
  at: number;
  fresh: boolean;
}

/** One queue of the overview. */
export function useQueue(name: string): Streamed<QueueView> {
  const select = useCallback((overview: Overview): QueueView => viewOf(overview, name), [name]);
  const query = useQuery<Overview, ApiError, QueueView>({ ...overviewOptions(useQueryClient()), select });
  return useStreamed(query, keys.overview(), select);
}

function viewOf(overview: Overview, name: string): QueueView {
  const queue = overview.queues.find((candidate) => candidate.queue === name) ?? null;
  return { queue, at: overview.at, fresh: overview.fresh };
}
