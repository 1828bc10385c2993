/** Schedules for the routes: the console's broker, and who is asking. */
import type { Actor } from '@/lib/broker';
import * as schedules from '@/lib/schedules';
import { getBroker } from './broker';

export { actorOf } from './session';

export async function schedulesPage(limit: number, cursor: string | undefined) {
  const broker = getBroker();
  return { at: await broker.now(), ...(await broker.schedules.list(limit, cursor)) };
}
export const getSchedule = async (id: string) => (await getBroker().schedules.get(id)).schedule;

type Input<F extends (...args: never[]) => unknown> = Parameters<F>;
export const createSchedule = (input: Input<typeof schedules.createSchedule>[1], by: Actor) =>
  schedules.createSchedule(getBroker(), input, by);
export const changeSchedule = (id: string, patch: Input<typeof schedules.changeSchedule>[2], by: Actor) =>
  schedules.changeSchedule(getBroker(), id, patch, by);
export const pauseSchedule = (id: string, by: Actor) => schedules.pauseSchedule(getBroker(), id, by);
export const resumeSchedule = (id: string, by: Actor) => schedules.resumeSchedule(getBroker(), id, by);
export const runSchedule = (id: string, by: Actor) => schedules.runSchedule(getBroker(), id, by);
export async function deleteSchedule(id: string, by: Actor) {
  await schedules.deleteSchedule(getBroker(), id, by);
  return { id, deleted: true };
}
export const previewSchedule = async (input: Input<typeof schedules.previewSchedule>[0]) =>
  schedules.previewSchedule(input, await getBroker().now());
