import { paths } from '@/lib/contract/api-paths';
import { useApiQuery } from './api/query-defaults';
import { keys } from './api/query-keys';
import { reply } from './api/reply-schemas';
import { useLiveStatus } from './live/live-provider';

/** The server reads them anew every five seconds at most. */
const REFETCH_CHECKS_MS = 10_000;

/** Whether the Redis is fit for jobs. */
export function useRedisChecks() {
  const offline = useLiveStatus() === 'offline';
  return useApiQuery(keys.redisChecks(), paths.redis(), reply('redisChecksSchema'), {
    refetchInterval: offline ? false : REFETCH_CHECKS_MS,
  });
}
