/** What a broker offers for schedules: the steps. What is made of them is in lib/schedules. */
import type { BrokerContext } from '../context';
import type { Actor } from '../note';
import { takeQueueShare } from '../queue-shares';
import { advanceSchedule, type DueEntry, dueSchedules, lookLater } from './due';
import { type EnterSlots, enterSlots } from './enter';
import { forgetFence, type RaiseFence, raiseFence } from './fence';
import {
  findSchedule,
  getSchedule,
  listSchedules,
  nextGeneration,
  requireRoom,
  type SaveSchedule,
  saveSchedule,
} from './records';
import type { StoredSchedule } from './row';

export const scheduleVerbs = (ctx: BrokerContext) => ({
  find: (id: string) => findSchedule(ctx, id),
  get: (id: string) => getSchedule(ctx, id),
  list: async (limit: number, cursor?: string) => {
    const { listed, ...page } = await listSchedules(ctx, limit, cursor);
    return { schedules: listed.map(({ summary }) => summary), ...page };
  },
  /** The same, each with who answers for it. */
  listed: (limit: number, cursor?: string) => listSchedules(ctx, limit, cursor),
  requireRoom: (by: Actor) => requireRoom(ctx, by),
  /** Takes the user's share of a queue that has no job yet. @throws RedriveError LIMIT_REACHED */
  takeQueue: (queue: string, by: Actor) => takeQueueShare(ctx, 'queues', queue, by),
  generation: (least?: number) => nextGeneration(ctx, least),
  save: (save: SaveSchedule) => saveSchedule(ctx, save),
  fence: (raise: RaiseFence) => raiseFence(ctx, raise),
  forget: (queue: string, id: string, generation: number) => forgetFence(ctx, queue, id, generation),
  due: (limit?: number) => dueSchedules(ctx, limit),
  enter: (input: EnterSlots) => enterSlots(ctx, input),
  advance: (stored: StoredSchedule, nextAt: number | null, done: Parameters<typeof advanceSchedule>[3]) =>
    advanceSchedule(ctx, stored, nextAt, done),
  later: (entry: DueEntry, at: number | null) => lookLater(ctx, entry, at),
});
