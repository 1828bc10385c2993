/** The live numbers of all queues, from the one sampler, limited to what the principal may see. */

import type {
  MinuteCounts,
  Overview,
  QueueMinutes,
  QueuePageQuery,
  QueueSnapshot,
} from '@/lib/contract/queues/queue-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { WorkersPage } from '@/lib/contract/workers/worker-schemas';
import { scopeOf } from '../authentication/principal';
import { requireEverywhere, requirePermission, requireWholeQueue } from '../authorization/require-permission';
import { getLiveHub } from '../live/live-hub';
import { metricsText } from '../live/metrics-text';
import { queuePage, rowsOfPage, type SnapshotPage, sumOfMinutes } from '../live/page-of-queues';
import { getSampler } from '../live/sampler';
import { PerSample, SnapshotBodies } from '../live/snapshot-bodies';
import { visibleSample, visibleWorkers } from '../live/visible-frame';
import { singleton } from '../singleton';
import { type RequestContext, requireQueue } from './request-context';

const minutes = new PerSample<{ visible: ReadonlySet<string>; all: MinuteCounts[] }>();
const bodies = singleton('queue-page-bodies', () => new SnapshotBodies())();

export function authorizedLive({ principal }: RequestContext) {
  return {
    /** A page of queues as JSON, made once for all who see the same. */
    async queues(query: QueuePageQuery): Promise<Uint8Array> {
      requirePermission(principal, 'view');
      const sample = await getSampler().current();
      const scope = scopeOf(principal, 'view');
      return bodies.body(sample, JSON.stringify([scope, query]), () =>
        rowsOfPage(queuePage(visibleSample(sample, scope).overview, query)),
      );
    },

    /** For scripts that sum over all queues. @param write what they get of a page */
    async whole(
      query: QueuePageQuery,
      write: (page: SnapshotPage) => Readonly<Record<string, unknown>>,
    ): Promise<Uint8Array> {
      requireEverywhere(principal, 'view');
      const sample = await getSampler().current();
      const make = () => write(queuePage(sample.frame.overview, query));
      return bodies.body(sample, `whole ${JSON.stringify(query)}`, make);
    },

    async minutes(names: readonly string[]): Promise<QueueMinutes> {
      requirePermission(principal, 'view');
      const sampler = getSampler();
      const sample = await sampler.current();
      const scope = scopeOf(principal, 'view');
      const { visible, all } = minutes.of(sample, JSON.stringify(scope), () => {
        const names = visibleSample(sample, scope).overview.queues.map(({ queue }) => queue);
        return { visible: new Set(names), all: sumOfMinutes(names.map((name) => sampler.minutesOf(name))) };
      });
      return {
        all,
        queues: names
          .filter((queue) => visible.has(queue))
          .map((queue) => ({ queue, minutes: [...sampler.minutesOf(queue)] })),
      };
    },

    async queue(name: string): Promise<Pick<Overview, 'at' | 'ageMs' | 'fresh'> & { queue: QueueSnapshot }> {
      requireWholeQueue(principal, 'view', name);
      const sampler = getSampler();
      let queue = await sampler.row(name);
      if (!queue) {
        await requireQueue(name);
        queue = await sampler.rowOfNew(name);
      }
      const { at, ageMs, fresh } = (await sampler.current()).frame.overview;
      if (!queue) {
        throw new RedriveError(
          'REDIS_UNAVAILABLE',
          `${name} cannot be read: Redis does not answer, or its keys are of another type. Check the page Redis.`,
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
    stream(signal: AbortSignal, watched: readonly string[]): ReadableStream<Uint8Array> {
      requirePermission(principal, 'view');
      return getLiveHub().open(principal, signal, { watched });
    },
  };
}
