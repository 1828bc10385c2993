/** The lab as the console shows it. */

import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { parseJsonRow } from '@/lib/broker/redis/parse-json';
import { serverNow } from '@/lib/broker/redis/server-info';
import { type LabState, labCrashSchema } from '@/lib/contract/lab/lab-schemas';
import { CRASHES_KEPT, readLabSettings, supervisorSchema } from './lab-records';
import { readLabSession } from './lab-samples';
import { readDrills } from './run-drill';

export async function readLabState(ctx: BrokerContext): Promise<LabState> {
  const at = await serverNow(ctx);
  const settings = await readLabSettings(ctx);
  const [supervisor, crashes, session, drills] = await Promise.all([
    ctx.plain((redis) => redis.get(ctx.keys.global('labSupervisor'))),
    ctx.plain((redis) => redis.lrange(ctx.keys.global('labCrashes'), 0, CRASHES_KEPT - 1)),
    readLabSession(ctx),
    readDrills(ctx),
  ]);
  return {
    at,
    settings,
    supervisor: parseJsonRow(supervisorSchema, supervisor),
    crashes: crashes.flatMap((json) => parseJsonRow(labCrashSchema, json) ?? []),
    session,
    drills,
  };
}
