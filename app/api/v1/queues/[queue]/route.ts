import { RedriveError } from '@/lib/contract/errors';
import { queueParams, requireQueue } from '@/lib/server/params';
import { route } from '@/lib/server/route';
import { getSampler } from '@/lib/server/sampler';

export const GET = route({
  permission: 'view',
  params: queueParams,
  handle: async ({ params }) => {
    const { overview } = await getSampler().current();
    const queue = overview.queues.find((found) => found.queue === params.queue);
    if (!queue) {
      // It may be younger than the snapshot: then the next one has it.
      await requireQueue(params.queue);
      throw new RedriveError(
        'REDIS_UNAVAILABLE',
        `${params.queue} is not in the snapshot yet. Try again in a second.`,
      );
    }
    return { at: overview.at, ageMs: overview.ageMs, fresh: overview.fresh, queue };
  },
});
