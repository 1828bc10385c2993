/** Whether a running operation needs a second user: one of its queues may ask for approval since it was confirmed. */

import { forEachLimited, groupWithPositions } from '@/lib/broker/shards/fan-out';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { OperationRecord } from '@/lib/contract/operations/operation-record';
import { asksApproval, mayNeedApproval } from '../preview/operation-checks';
import { BACK_OFF_MS, backOff, type RunnerState } from './runner-state';

const QUEUES_AT_ONCE = 16;

/** The sentence for the pause; null: it may go on. A queue whose settings cannot be read waits: its shards are backed off. */
export async function missingApproval(
  ctx: ShardedContext,
  record: OperationRecord,
  run: RunnerState,
): Promise<string | null> {
  if (record.decidedBy !== null || !mayNeedApproval(record)) return null;
  const left = run.shards.filter(({ progress }) => progress?.status !== 'done');
  const byQueue = [...groupWithPositions(left, ({ shard }) => shard.queue)];
  const asking: string[] = [];
  await forEachLimited(byQueue, QUEUES_AT_ONCE, async ([queue, { items }]) => {
    try {
      if (await asksApproval(ctx, record, queue)) asking.push(queue);
    } catch (error) {
      for (const state of items) {
        backOff(state, error);
        // The next check comes before the next attempt.
        state.retryAtMs += BACK_OFF_MS;
      }
    }
  });
  const [queue] = asking.sort();
  return queue === undefined ? null : needsApprovalSentence(queue);
}

const needsApprovalSentence = (queue: string): string =>
  `${queue} asks for approval (purgeNeedsApproval) since this operation was confirmed. Another user must resume it, or cancel it.`;
