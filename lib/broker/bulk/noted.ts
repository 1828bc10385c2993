/**
 * Operations that moved nothing stand in the record of their queues, too: exports, and those that were turned down or called off
 * before they began. The others are entered by the scripts that move the jobs.
 */
import type { OperationRecord } from '@/lib/contract/verbs';
import type { BrokerContext } from '../context';
import { actorNote } from '../note';
import { inLanes } from '../sharded/fan-out';
import { aboutWords } from './about';
import { operationActor } from './spec';

const QUEUES_AT_ONCE = 8;

/**
 * Once an operation and queue, however often it is called. A queue that does not answer stays without the entry: how the operation ended
 * stands in its own record, and must not fail by that.
 */
export async function noteEnd(ctx: BrokerContext, record: OperationRecord, how: string): Promise<void> {
  const by = actorNote(operationActor(record));
  const queues = [...new Set(record.places.map(({ queue }) => queue))];
  // Of an export: how many rows it has, where they are all of one queue.
  const rows = queues.length === 1 ? record.moved : '';
  await inLanes(queues, QUEUES_AT_ONCE, async (queue) => {
    await ctx.run('bulk-note', queue, [record.id, by, aboutWords(record), how, rows]).catch(() => undefined);
  });
}
