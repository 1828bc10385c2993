/**
 * For the tests: a process that works off an operation in one place, as fast as it can and with no lease, until there is nothing
 * left or it is killed. Arguments: Redis, queue, the operation as JSON (a MoveSpec), its cut-off.
 */
import { setTimeout } from 'node:timers/promises';
import { moveChunk } from '@/lib/broker/operations/kinds/move-chunk';
import type { MoveSpec } from '@/lib/broker/operations/kinds/move-spec';
import { readShardProgress } from '@/lib/broker/operations/kinds/shard-progress';
import { createContext } from '@/lib/broker/redis/broker-context';
import { scanShard } from '@/lib/broker/search/scan/scan-shard';
import { withShards } from '@/lib/broker/shards/sharded-context';

const [url = '', queue = '', json = '', cutoffText = ''] = process.argv.slice(2);
const spec: MoveSpec = JSON.parse(json);
const cutoff = Number(cutoffText);
const ctx = withShards(createContext({ url }));
const place = { queue, shard: 0, name: queue };
const say = (word: string) => process.stdout.write(`${word}\n`);

async function step(): Promise<boolean> {
  const { status, cursor } = await readShardProgress(ctx, place, spec.id);
  if (status !== 'running') return false;
  const found = await scanShard(ctx, place, {
    state: spec.state,
    filter: { kind: 'all' },
    at: cutoff,
    cutoff,
    order: 'oldest',
    cursor,
    maxScan: 1_000,
    maxHits: 100,
  });
  const { moved } = await moveChunk(ctx, place, spec, cursor, found);
  say(`moved ${moved}`);
  return true;
}

say('up');
for (let left = true; left; ) {
  // Redis is away for a moment now and then in some tests: what was not answered is looked at again.
  left = await step().catch(async (error: unknown) => {
    say(`failed: ${error instanceof Error ? error.message : String(error)}`);
    await setTimeout(50);
    return true;
  });
}
say('over');
ctx.close();
