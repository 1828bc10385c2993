'use client';
import { keepPreviousData } from '@tanstack/react-query';
import { paths } from '@/lib/contract/api-paths';
import { MINUTES_QUEUES_MAX } from '@/lib/contract/queues/queue-limits';
import type { QueueMinutes } from '@/lib/contract/queues/queue-schemas';
import { withQuery } from '../api/api-client';
import { useApiQuery } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';

/** The server reads minutes anew this often. */
const REFETCH_MS = 10_000;

/** The last hour by minute of these queues, and of all together; undefined until it is here. */
export function useMinutes(names: readonly string[] | null): QueueMinutes | undefined {
  // Another order is the same request.
  const queues = [...(names ?? [])].sort().slice(0, MINUTES_QUEUES_MAX).join(',');
  return useApiQuery(
    keys.minutes(queues),
    withQuery(paths.minutes(), { queues }),
    reply('queueMinutesSchema'),
    { enabled: names !== null, refetchInterval: REFETCH_MS, placeholderData: keepPreviousData },
  ).data;
}
