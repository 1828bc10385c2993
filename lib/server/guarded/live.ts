/** The numbers of all queues, as one sampler reads them for everybody, cut to what the asker may see. */
import { RedriveError } from '@/lib/contract/errors';
import type { Overview, QueueSnapshot } from '@/lib/contract/queue';
import type { WorkersPage } from '@/lib/contract/workers';
import { need, needEverywhere, needQueue } from '../access/need';
import { withinOf } from '../access/principal';
import { getHub } from '../hub';
import { metricsText } from '../metrics';
import { getSampler } from '../sampler';
import { visibleFrame } from '../visible';
import type { Caller } from './caller';
import { requireQueue } from './exists';

export function guardedLive({ principal }: Caller) {
  const frame = async () => {
    need(principal, 'view');
    return visibleFrame(await getSampler().current(), withinOf(principal, 'view'));
  };
  return {
    overview: async (): Promise<Overview> => (await frame()).overview,

    /** For scripts that add up all there is. */
    async whole(): Promise<Overview> {
      needEverywhere(principal, 'view');
      return (await frame()).overview;
    },

    async queue(name: string): Promise<Pick<Overview, 'at' | 'ageMs' | 'fresh'> & { queue: QueueSnapshot }> {
      needQueue(principal, 'view', name);
      const { at, ageMs, fresh, queues } = (await frame()).overview;
      const queue = queues.find((found) => found.queue === name);
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

    workers: async (): Promise<WorkersPage> => (await frame()).workers,

    /** For a scraper, which reads all of it. */
    metrics(): Promise<string> {
      needEverywhere(principal, 'view');
      return metricsText();
    },

    /** The event stream. @throws RedriveError TOO_MANY_STREAMS */
    stream(signal: AbortSignal): ReadableStream<Uint8Array> {
      need(principal, 'view');
      return getHub().open(principal, signal);
    },
  };
}
