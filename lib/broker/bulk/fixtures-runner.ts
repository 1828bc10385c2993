/**
 * For the tests: a process that works off an operation in one place, as fast as it can and with no lease, until there is nothing
 * left or it is killed. Arguments: Redis, queue, the operation as JSON (a MoveSpec), its cut-off.
 */
import { setTimeout } from 'node:timers/promises';
import { createContext } from '../context';
import { scanPlace } from '../search/scan';
import { withShards } from '../shards';
import { type MoveSpec, moveChunk } from './move';
import { readProgress } from './progress';

const [url = '', queue = '', json = '', cutoffText = ''] = process.argv.slice(2);
const spec: MoveSpec = JSON.parse(json);
const cutoff = Number(cutoffText);
const ctx = withShards(createContext({ url }));
const place = { queue, shard: 0, name: queue };
const say = (word: string) => process.stdout.write(`${word}\n`);

async function step(): Promise<boolean> {
  const { status, cursor } = await readProgress(ctx, place, spec.id);
  if (status !== 'running') return false;
  const found = await scanPlace(ctx, place, {
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
