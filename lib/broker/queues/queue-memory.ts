/** How much of Redis's memory a queue takes, by key. */
import type { QueueMemory } from '@/lib/contract/queues/breakdown-schemas';
import { SCRIPTS } from '../lua.generated';
import { replyNumbers } from '../redis/script-reply';
import { answersOrThrow, fanOut } from '../shards/fan-out';
import type { ShardedContext } from '../shards/sharded-context';

/** Rows that Redis looks at to estimate a key. */
const ROWS_SAMPLED = 20;

/** Estimates in bytes; shards that cannot be read are missing. @throws only when none can be read */
export async function readQueueMemory(ctx: ShardedContext, queue: string): Promise<QueueMemory> {
  const layout = ctx.shards.recent(queue) ?? (await ctx.shards.of(queue));
  const answers = await fanOut(layout, async (name) =>
    replyNumbers(await ctx.run('queue-memory', name, [ROWS_SAMPLED]), 'queue-memory'),
  );
  const parts = answersOrThrow(answers);
  const keys = SCRIPTS['queue-memory'].keys
    .map((name, i) => ({
      name: String(name),
      bytes: parts.reduce((sum, part) => sum + Math.max(0, part[i + 1] ?? 0), 0),
    }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
  return {
    at: Math.max(...parts.map(([now = 0]) => now)),
    bytes: keys.reduce((sum, { bytes }) => sum + bytes, 0),
    keys,
    unavailable: answers.failed.map(({ shard }) => shard),
  };
}
