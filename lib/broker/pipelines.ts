/** One plain command for each of many keys: one round trip on a single server, one to each node on a Cluster. */
import type { ChainableCommander } from 'ioredis';
import { slotOf } from './cluster';
import type { BrokerContext } from './context';
import { guarded } from './script';
import { isCluster } from './server-check';

const PIPELINE_MAX = 1_000;

/**
 * The replies by key, in order; an Error where a command failed, or where its node did not answer.
 *
 * @throws RedriveError REDIS_UNSAFE | REDIS_UNAVAILABLE when there is no server to ask
 */
export async function pipelined(
  ctx: BrokerContext,
  keys: readonly string[],
  add: (pipeline: ChainableCommander, key: string) => void,
): Promise<unknown[]> {
  if (keys.length === 0) return [];
  await ctx.ready();
  const replies: unknown[] = new Array(keys.length);
  const { redis } = ctx;
  const send = async (places: readonly number[]) => {
    for (let i = 0; i < places.length; i += PIPELINE_MAX) {
      const part = places.slice(i, i + PIPELINE_MAX);
      const pipeline = redis.pipeline();
      for (const at of part) add(pipeline, keys[at] ?? '');
      try {
        const answers = (await guarded(redis, pipeline.exec())) ?? [];
        part.forEach((at, n) => {
          const [error, reply] = answers[n] ?? [new Error('the pipeline had no reply'), null];
          replies[at] = error ?? reply;
        });
      } catch (error) {
        for (const at of part) replies[at] = error instanceof Error ? error : new Error(String(error));
      }
    }
  };
  if (!isCluster(redis)) {
    await send(keys.map((_, at) => at));
    return replies;
  }
  // A pipeline may go to one node only: keys are put together by the nodes that hold their slots.
  const byNode = new Map<string, number[]>();
  keys.forEach((key, at) => {
    const node = redis.slots[slotOf(key)]?.join() ?? '';
    const places = byNode.get(node);
    if (places) places.push(at);
    else byNode.set(node, [at]);
  });
  await Promise.all([...byNode.values()].map(send));
  return replies;
}
