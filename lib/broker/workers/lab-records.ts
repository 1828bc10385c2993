/** Where the lab's settings and its supervisor's report live, for the console on one side and the demo worker on the other. */

import {
  type LabCrash,
  type LabSettings,
  type LabState,
  labCrashSchema,
  labSettingsSchema,
  labStateSchema,
} from '@/lib/contract/lab/lab-schemas';
import { LAB_DEFAULTS } from '@/lib/contract/lab/lab-settings';
import { type Actor, actorJson } from '../access/actor';
import type { BrokerContext } from '../redis/broker-context';
import { parseJsonRow } from '../redis/parse-json';
import { serverNow } from '../redis/server-info';

export type LabSupervisor = NonNullable<LabState['supervisor']>;
/** A supervisor that has not reported for this long is gone. It reports twice a second. */
export const SUPERVISOR_TTL_MS = 4_000;
const CRASHES_KEPT = 20;
const BURSTS_MAX = 50;
const supervisorSchema = labStateSchema.shape.supervisor.unwrap();

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

export async function readLabState(ctx: BrokerContext): Promise<LabState> {
  const at = await serverNow(ctx);
  const settings = await readLabSettings(ctx);
  const [supervisor, crashes] = await Promise.all([
    ctx.plain((redis) => redis.get(ctx.keys.global('labSupervisor'))),
    ctx.plain((redis) => redis.lrange(ctx.keys.global('labCrashes'), 0, CRASHES_KEPT - 1)),
  ]);
  return {
    at,
    settings,
    supervisor: parseJsonRow(supervisorSchema, supervisor),
    crashes: crashes.flatMap((json) => parseJsonRow(labCrashSchema, json) ?? []),
  };
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

export async function recordCrash(ctx: BrokerContext, crash: LabCrash): Promise<void> {
  const key = ctx.keys.global('labCrashes');
  // Two plain calls: a pipeline would swallow a refusal.
  await ctx.plain((redis) => redis.lpush(key, JSON.stringify(crash)));
  await ctx.plain((redis) => redis.ltrim(key, 0, CRASHES_KEPT - 1));
}

/** Asks the supervisor for a burst of jobs. False when many are waiting already. */
export async function requestBurst(ctx: BrokerContext, jobs: number, by?: Actor): Promise<boolean> {
  return (await ctx.run('lab-burst', null, [jobs, BURSTS_MAX, by ? actorJson(by) : ''])) === 1;
}

/** Takes the next burst asked for; 0 when there is none. */
export async function takeBurst(ctx: BrokerContext): Promise<number> {
  return Number((await ctx.plain((redis) => redis.lpop(ctx.keys.global('labBursts')))) ?? 0);
}
