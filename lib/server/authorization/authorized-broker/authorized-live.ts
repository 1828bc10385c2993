/** The live numbers of all queues, from the one sampler, limited to what the principal may see. */

import type { Overview, QueuePage, QueuePageQuery, QueueSnapshot } from '@/lib/contract/queues/queue-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { getLiveHub } from '@/lib/server/live/live-hub';
import { metricsText } from '@/lib/server/live/metrics-text';
import { queuePage } from '@/lib/server/live/page-of-queues';
import { getSampler } from '@/lib/server/live/sampler';
import { scopeOf } from '../principal';
import { requireEverywhere, requirePermission, requireWholeQueue } from '../require-permission';
import { visibleSample, visibleWorkers } from '../visible-frame';
import { type RequestContext, requireQueue } from './request-context';

export function authorizedLive({ principal }: RequestContext) {
  const page = async (query: QueuePageQuery): Promise<QueuePage> => {
    requirePermission(principal, 'view');
    const sample = await getSampler().current();
    return queuePage(visibleSample(sample, scopeOf(principal, 'view')).overview, query);
  };
  return {
    queues: page,

    /** For scripts that sum over all queues. */
    async whole(query: QueuePageQuery): Promise<QueuePage> {
      requireEverywhere(principal, 'view');
      return page(query);
    },

    async queue(name: string): Promise<Pick<Overview, 'at' | 'ageMs' | 'fresh'> & { queue: QueueSnapshot }> {
      requireWholeQueue(principal, 'view', name);
      const queue = await getSampler().row(name);
      const { at, ageMs, fresh } = (await getSampler().current()).frame.overview;
      if (!queue) {
        // It may be younger than the snapshot: then the next one has it.
        await requireQueue(name);
        throw new RedriveError(
          'REDIS_UNAVAILABLE',
          `${name} is not in the snapshot yet. Try again in a second.`,
        );
      }
      return { at, ageMs, fresh, queue };
    },

    async workers(): Promise<WorkersPage> {
      requirePermission(principal, 'view');
      return visibleWorkers((await getSampler().current()).frame.workers, scopeOf(principal, 'view'));
    },

    /** For a metrics scraper, which reads all queues. */
    metrics(q = ''): Promise<string> {
      requireEverywhere(principal, 'view');
      return metricsText(q);
    },

    /** The event stream. @throws RedriveError TOO_MANY_STREAMS */
    stream(signal: AbortSignal): ReadableStream<Uint8Array> {
      requirePermission(principal, 'view');
      return getLiveHub().open(principal, signal);
    },
  };
}
