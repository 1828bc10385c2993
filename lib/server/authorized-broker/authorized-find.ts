/** Jobs by a reference, over all queues and states: only jobs that the principal may see are returned and counted. */
import type { z } from 'zod';
import type { FindEvent, FindReply, findStreamQuerySchema } from '@/lib/contract/search/find-schemas';
import { requirePermission } from '../authorization/require-permission';
import { getBroker } from '../console-broker';
import { type RequestContext, scopeLimit } from './request-context';

export function authorizedFind({ principal }: RequestContext) {
  const seen = () => {
    requirePermission(principal, 'view');
    return scopeLimit(principal, 'view');
  };
  return {
    /** By id, uniqueness key or idempotency key. */
    lookup: (q: string): Promise<FindReply> => getBroker().inspect.find(q, seen()),
    /** By idempotency key, correlation id or trace id. */
    async *stream(
      { q, ...options }: z.output<typeof findStreamQuerySchema>,
      signal: AbortSignal,
    ): AsyncGenerator<FindEvent, void> {
      yield* getBroker().inspect.findStream(q, { ...options, ...seen(), signal });
    },
  };
}
