/** What the deletion of a queue would delete. */

import { STATE_COLUMN } from '@/lib/broker/redis/redis-keys';
import { listSchedules } from '@/lib/broker/schedules/schedule-records';
import { queueExists } from '@/lib/broker/shards/queue-registry';
import { queryShards, type ShardRef, shardRefsOf } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { listWorkers } from '@/lib/broker/workers/worker-registry';
import { JOB_STATES } from '@/lib/contract/jobs/job-states';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { PreviewSet } from './preview-summary';

const SHARDS_AT_ONCE = 8;
const SCHEDULES_AT_ONCE = 500;
const NO_BREAKDOWN = { queue: [], type: [], code: [], class: [], age: [], tenant: [] };

export interface QueueDeletion {
  readonly set: PreviewSet;
  readonly deletes: NonNullable<Preview['deletes']>;
}

/** What would be deleted with the queue. @throws RedriveError QUEUE_NOT_FOUND, and when a shard does not answer */
export async function previewQueueDeletion(ctx: ShardedContext, queue: string): Promise<QueueDeletion> {
  if (!(await queueExists(ctx, queue)))
    throw new RedriveError('QUEUE_NOT_FOUND', `There is no queue ${queue}.`, {
      fields: [{ field: 'scope.queue', message: 'names no queue' }],
    });
  const shards = await shardRefsOf(ctx, [queue]);
  const [states, schedules, { workers }] = await Promise.all([
    countStates(ctx, shards),
    countSchedules(ctx, queue),
    listWorkers(ctx),
  ]);
  const count = states.reduce((sum, state) => sum + state.count, 0);
  const serving = workers.filter(
    ({ status, queues }) => (status === 'running' || status === 'draining') && Object.hasOwn(queues, queue),
  );
  return {
    set: {
      count,
      exact: true,
      sampled: null,
      ageSampled: null,
      breakdown: { ...NO_BREAKDOWN, queue: [{ value: queue, count }] },
      skips: {},
      inspected: null,
      jobs: [],
      selection: null,
      shards,
    },
    deletes: { typedName: queue, states, shards: shards.length, schedules, workers: serving.length },
  };
}

async function countStates(
  ctx: ShardedContext,
  shards: readonly ShardRef[],
): Promise<QueueDeletion['deletes']['states']> {
  const { answered, failed } = await queryShards(shards, SHARDS_AT_ONCE, ({ name }) =>
    ctx.plain((redis) =>
      Promise.all(JOB_STATES.map((state) => redis.zcard(ctx.keys.column(name, STATE_COLUMN[state])))),
    ),
  );
  if (failed[0]) throw failed[0].error;
  return JOB_STATES.flatMap((state, i) => {
    const count = answered.reduce((sum, { value }) => sum + (value[i] ?? 0), 0);
    return count > 0 ? [{ state, count }] : [];
  });
}

async function countSchedules(ctx: ShardedContext, queue: string): Promise<number> {
  let count = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await listSchedules(ctx, SCHEDULES_AT_ONCE, cursor);
    count += page.listed.filter(({ summary }) => summary.queue === queue).length;
    if (page.nextCursor === null) return count;
    cursor = page.nextCursor;
  }
}
