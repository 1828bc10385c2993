/** What the deletion of a queue would take along. */
import { RedriveError } from '@/lib/contract/errors';
import type { Preview } from '@/lib/contract/operations';
import { JOB_STATES } from '@/lib/contract/states';
import { queueExists } from '../inspect/registry';
import { STATE_COLUMN } from '../keys';
import { listSchedules } from '../schedules/records';
import { askPlaces, type Place, placesOf } from '../sharded/places';
import type { ShardedContext } from '../shards';
import { listWorkers } from '../workers';
import type { PreviewedSet } from './preview';

const PLACES_AT_ONCE = 8;
const SCHEDULES_AT_ONCE = 500;
const NO_BREAKDOWN = { queue: [], type: [], code: [], class: [], age: [], tenant: [] };

export interface QueueDeleted {
  readonly set: PreviewedSet;
  readonly deletes: NonNullable<Preview['deletes']>;
}

/** @throws RedriveError QUEUE_NOT_FOUND, and when a shard does not answer */
export async function queueDeleted(ctx: ShardedContext, queue: string): Promise<QueueDeleted> {
  if (!(await queueExists(ctx, queue)))
    throw new RedriveError('QUEUE_NOT_FOUND', `There is no queue ${queue}.`, {
      fields: [{ field: 'scope.queue', message: 'names no queue' }],
    });
  const places = await placesOf(ctx, [queue]);
  const [states, schedules, { workers }] = await Promise.all([
    statesIn(ctx, places),
    schedulesOf(ctx, queue),
    listWorkers(ctx),
  ]);
  const count = states.reduce((sum, one) => sum + one.count, 0);
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
      lookedAt: null,
      looked: [],
      listed: null,
      places,
    },
    deletes: { typedName: queue, states, shards: places.length, schedules, workers: serving.length },
  };
}

async function statesIn(
  ctx: ShardedContext,
  places: readonly Place[],
): Promise<QueueDeleted['deletes']['states']> {
  const { found, missing } = await askPlaces(places, PLACES_AT_ONCE, ({ name }) =>
    ctx.plain((redis) =>
      Promise.all(JOB_STATES.map((state) => redis.zcard(ctx.keys.column(name, STATE_COLUMN[state])))),
    ),
  );
  if (missing[0]) throw missing[0].error;
  return JOB_STATES.flatMap((state, i) => {
    const count = found.reduce((sum, { value }) => sum + (value[i] ?? 0), 0);
    return count > 0 ? [{ state, count }] : [];
  });
}

async function schedulesOf(ctx: ShardedContext, queue: string): Promise<number> {
  let count = 0;
  for (let cursor: string | undefined; ; ) {
    const page = await listSchedules(ctx, SCHEDULES_AT_ONCE, cursor);
    count += page.listed.filter(({ summary }) => summary.queue === queue).length;
    if (page.nextCursor === null) return count;
    cursor = page.nextCursor;
  }
}
