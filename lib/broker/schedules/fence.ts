/** A schedule's fence in its queue: what keeps slots from being dealt with twice, and old generations from being heard. */
import type { Schedule } from '@/lib/contract/schedules';
import type { BrokerContext } from '../context';
import { type Actor, actorNote } from '../note';
import { list, text } from '../reply';
import { lastOf } from './row';

export interface Fence {
  readonly generation: number;
  /** 0: none yet. */
  readonly slot: number;
  readonly last: Schedule['last'];
  readonly entered: number;
  readonly skipped: number;
}

/** The tail of a reply: generation, last slot, last job, outcome, entered, skipped. */
export function readFence(reply: unknown, script: string): { status: number; fence: Fence } {
  const [status, generation, slot, job, outcome, entered, skipped] = list(reply, script);
  return {
    status: Number(status),
    fence: {
      generation: Number(generation),
      slot: Number(slot),
      last: lastOf(Number(slot), text(job), text(outcome)),
      entered: Number(entered),
      skipped: Number(skipped),
    },
  };
}

export interface RaiseFence {
  readonly id: string;
  readonly queue: string;
  readonly generation: number;
  /** Its count starts anew: an id may have belonged to another schedule before. */
  readonly isNew: boolean;
  readonly by: Actor;
  /** What changed, for the queue's record. */
  readonly before: string;
  readonly after: string;
}

/** From the reply on, no tick of an older generation enters anything. `raised` is false when the fence is as far or farther. */
export async function raiseFence(
  ctx: BrokerContext,
  raise: RaiseFence,
): Promise<{ raised: boolean; fence: Fence }> {
  const { id, queue, generation, isNew, by, before, after } = raise;
  const args = [id, generation, isNew ? 1 : 0, actorNote(by), before, after];
  const reply = await ctx.run('schedule-fence', queue, args);
  const { status, fence } = readFence(reply, 'schedule-fence');
  return { raised: status === 1, fence };
}

/** Removes the fence of a schedule that left the queue, unless it came back since. */
export async function forgetFence(
  ctx: BrokerContext,
  queue: string,
  id: string,
  generation: number,
): Promise<boolean> {
  return (await ctx.run('schedule-forget', queue, [id, generation])) === 1;
}
