/** The numbers of all queues, as one sampler reads them for everybody, cut to what the asker may see. */
import { RedriveError } from '@/lib/contract/errors';
import type { Overview, QueuePage, QueuePageQuery, QueueSnapshot } from '@/lib/contract/queue';
import type { WorkersPage } from '@/lib/contract/workers';
import { need, needEverywhere, needQueue } from '../access/need';
import { withinOf } from '../access/principal';
import { getHub } from '../hub';
import { metricsText } from '../metrics';
import { queuePage } from '../queue-page';
import { getSampler } from '../sampler';
import { visibleWhole, visibleWorkers } from '../visible';
import type { Caller } from './caller';
import { requireQueue } from './exists';

export function guardedLive({ principal }: Caller) {
  const page = async (query: QueuePageQuery): Promise<QueuePage> => {
    need(principal, 'view');
    const sample = await getSampler().current();
    return queuePage(visibleWhole(sample, withinOf(principal, 'view')).overview, query);
  };
  return {
    queues: page,

    /** For scripts that add up all there is. */
    async whole(query: QueuePageQuery): Promise<QueuePage> {
      needEverywhere(principal, 'view');
      return page(query);
    },

    async queue(name: string): Promise<Pick<Overview, 'at' | 'ageMs' | 'fresh'> & { queue: QueueSnapshot }> {
      needQueue(principal, 'view', name);
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
      need(principal, 'view');
      return visibleWorkers((await getSampler().current()).frame.workers, withinOf(principal, 'view'));
    },

    /** For a scraper, which reads all of it. */
    metrics(q = ''): Promise<string> {
      needEverywhere(principal, 'view');
      return metricsText(q);
    },

    /** The event stream. @throws RedriveError TOO_MANY_STREAMS */
    stream(signal: AbortSignal): ReadableStream<Uint8Array> {
      need(principal, 'view');
      return getHub().open(principal, signal);
    },
  };
}
