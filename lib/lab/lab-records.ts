/** Where the lab's settings and its supervisor's report live, for the console on one side and the demo worker on the other. */

import { type Actor, actorJson } from '@/lib/broker/access/actor';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { parseJsonRow } from '@/lib/broker/redis/parse-json';
import {
  type LabBurst,
  type LabCrash,
  type LabSettings,
  type LabState,
  labBurstSchema,
  labSettingsSchema,
  labStateSchema,
} from '@/lib/contract/lab/lab-schemas';
import { LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';

export type LabSupervisor = NonNullable<LabState['supervisor']>;
/** A supervisor that has not reported for this long is gone. It reports twice a second. */
export const SUPERVISOR_TTL_MS = 4_000;
/** As in `lab-crash.lua`. */
export const CRASHES_KEPT = 20;
const BURSTS_MAX = 50;
export const supervisorSchema = labStateSchema.shape.supervisor.unwrap();

export async function readLabSettings(ctx: BrokerContext): Promise<LabSettings> {
  const json = await ctx.plain((redis) => redis.get(ctx.keys.global('labSettings')));
  return parseJsonRow(labSettingsSchema, json) ?? LAB_DEFAULTS;
}

export async function writeLabSettings(
  ctx: BrokerContext,
  settings: LabSettings,
  by?: Actor,
): Promise<LabSettings> {
  await ctx.run('lab-save', null, [JSON.stringify(settings), by ? actorJson(by) : '']);
  return settings;
}

/** The supervisor's report; it expires when the supervisor is gone. */
export async function reportSupervisor(ctx: BrokerContext, report: LabSupervisor): Promise<void> {
  await ctx.plain((redis) =>
    redis.set(ctx.keys.global('labSupervisor'), JSON.stringify(report), 'PX', SUPERVISOR_TTL_MS),
  );
}

export async function clearSupervisor(ctx: BrokerContext): Promise<void> {
  await ctx.plain((redis) => redis.del(ctx.keys.global('labSupervisor')));
}

/** Recorded once; the same worker's again replaces it. */
export async function recordCrash(ctx: BrokerContext, crash: LabCrash): Promise<void> {
  await ctx.run('lab-crash', null, [crash.workerId, JSON.stringify(crash)]);
}

/** Asks the supervisor for a burst of jobs. False when many are waiting already. */
export async function requestBurst(ctx: BrokerContext, burst: LabBurst, by?: Actor): Promise<boolean> {
  const args = [JSON.stringify(burst), burst.jobs, BURSTS_MAX, by ? actorJson(by) : ''];
  return (await ctx.run('lab-burst', null, args)) === 1;
}

/** Takes the next burst asked for; null when there is none. */
export async function takeBurst(ctx: BrokerContext): Promise<LabBurst | null> {
  return parseJsonRow(labBurstSchema, await ctx.plain((redis) => redis.lpop(ctx.keys.global('labBursts'))));
}
