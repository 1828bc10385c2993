'use client';
/** In the first script of every page: the rest of what pages do with operations is not. */
import { useQuery } from '@tanstack/react-query';
import type { Operation } from '@/lib/contract/operations/operation';
import type { ApiError } from './api/api-client';
import { useStreamed } from './api/hydration';
import { keys } from './api/query-keys';

const NONE: readonly Operation[] = [];

/** Operations that run now or ended in the last minute, from the stream. */
export function useLiveOperations(): readonly Operation[] {
  const query = useQuery<readonly Operation[], ApiError>({
    queryKey: keys.operationsLive(),
    queryFn: () => NONE,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useStreamed(query, keys.operationsLive()).data ?? NONE;
}
