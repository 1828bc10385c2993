'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Overview, QueueSnapshot } from '@/lib/contract/queue';
import type { ApiError } from './api';
import { overviewOptions } from './use-overview';

export interface QueueView {
  /** Null when the overview knows no such queue. */
  queue: QueueSnapshot | null;
  at: number;
  fresh: boolean;
}

/** One queue of the overview. */
export function useQueue(name: string): UseQueryResult<QueueView, ApiError> {
  const select = useCallback((overview: Overview): QueueView => viewOf(overview, name), [name]);
  return useQuery<Overview, ApiError, QueueView>({ ...overviewOptions(useQueryClient()), select });
}

function viewOf(overview: Overview, name: string): QueueView {
  const queue = overview.queues.find((candidate) => candidate.queue === name) ?? null;
  return { queue, at: overview.at, fresh: overview.fresh };
}
