/** A schedule's fence in its queue: what keeps occurrences from being dealt with twice, and old generations from being heard. */
import type { Schedule } from '@/lib/contract/schedules/schedule-schemas';
import { type Actor, actorJson } from '../access/actor';
import type { BrokerContext } from '../redis/broker-context';
import { replyList, replyText } from '../redis/script-reply';
import { parseLastRun } from './schedule-row';

export interface ScheduleFence {
  readonly generation: number;
  /** 0: none yet. */
  readonly occurrence: number;
  readonly last: Schedule['last'];
  readonly entered: number;
  readonly skipped: number;
}

/** The tail of a reply: generation, last occurrence, last job, outcome, entered, skipped. */
export function readFence(reply: unknown, script: string): { status: number; fence: ScheduleFence } {
  const [status, generation, occurrence, job, outcome, entered, skipped] = replyList(reply, script);
  return {
    status: Number(status),
    fence: {
      generation: Number(generation),
      occurrence: Number(occurrence),
      last: parseLastRun(Number(occurrence), replyText(job), replyText(outcome)),
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
): Promise<{ raised: boolean; fence: ScheduleFence }> {
  const { id, queue, generation, isNew, by, before, after } = raise;
  const args = [id, generation, isNew ? 1 : 0, actorJson(by), before, after];
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
