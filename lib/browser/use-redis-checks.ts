import { paths } from '@/lib/contract/api-paths';
import type { ApiError } from './api/api-client';
import { useApiQuery } from './api/query-defaults';
import { keys } from './api/query-keys';
import { reply } from './api/reply-schemas';
import { useLiveStatus } from './live/live-provider';

/** The server reads them anew every five seconds at most. */
const REFETCH_CHECKS_MS = 10_000;

/** Without full view no answer will come, and each request is one more refused attempt. */
export const checksInterval = (offline: boolean, error: Pick<ApiError, 'status'> | null): number | false =>
  offline || error?.status === 403 ? false : REFETCH_CHECKS_MS;

/** Whether the Redis is fit for jobs. */
export function useRedisChecks() {
  const offline = useLiveStatus() === 'offline';
  return useApiQuery(keys.redisChecks(), paths.redis(), reply('redisChecksSchema'), {
    refetchInterval: ({ state }) => checksInterval(offline, state.error),
  });
}
