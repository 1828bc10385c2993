/** Stopping an operation in a place, and forgetting it there. */
import type { BrokerContext } from '../context';
import { actorNote } from '../note';
import { text } from '../reply';
import type { ShardedContext } from '../shards';
import type { MoveSpec } from './move';
import { finishOutbox } from './outbox';
import { chunkReply, type Progress } from './progress';

/**
 * No chunk after this moves anything in the place; what was moved stays moved. Jobs on their way to another queue still arrive: while
 * that queue is out of reach this fails, and is to be called again.
 */
export async function stopPlace(
  ctx: ShardedContext,
  { name: place }: { readonly name: string },
  spec: Pick<MoveSpec, 'id' | 'kind' | 'by' | 'target' | 'about'>,
): Promise<Progress> {
  const note = actorNote({ ...spec.by, requestId: spec.id });
  const { progress } = chunkReply(
    await ctx.run('bulk-stop', place, [spec.id, note, spec.kind, spec.about ?? '']),
    'bulk-stop',
  );
  const settled = spec.kind === 'move' ? await finishOutbox(ctx, place, spec) : null;
  return settled ?? progress;
}

/** The table holds the latest operations only: some fields each. */
const CALLS_MAX = 100;

/** Forgets all that a place keeps of an operation. Jobs it put back run on, uncounted. */
export async function forgetPlace(
  ctx: BrokerContext,
  { name: place }: { readonly name: string },
  id: string,
): Promise<void> {
  let cursor = '0';
  for (let calls = 0; calls < CALLS_MAX; calls++) {
    cursor = text(await ctx.run('bulk-forget', place, [id, cursor]));
    if (cursor === '0') return;
  }
}
