/** The lab's drills: started and stopped by the console, scored by the demo's supervisor. */

import { type Actor, actorJson } from '@/lib/broker/access/actor';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { parseJsonRow } from '@/lib/broker/redis/parse-json';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { newDrill, scoreDrill } from '@/lib/contract/lab/drill-score';
import {
  drillSettings,
  LAB_DRILL_PLANS,
  LAB_DRILLS_KEPT,
  type LabDrillId,
} from '@/lib/contract/lab/lab-drills';
import { type LabDrill, labDrillSchema } from '@/lib/contract/lab/lab-schemas';
import { LAB_CONNECTION_NAME } from '@/lib/contract/lab/lab-settings';
import { RedriveError } from '@/lib/contract/redrive-error';
import { readLabSettings } from './lab-records';
import { measureLab, storeLabSample } from './lab-samples';

/** The supervisor scores a drill every two seconds: a change may meet it a few times. */
const TRIES = 5;

const latestRow = (ctx: BrokerContext): Promise<string> =>
  ctx.plain(async (redis) => (await redis.lindex(ctx.keys.global('labDrills'), 0)) ?? '');

export async function readDrills(ctx: BrokerContext): Promise<LabDrill[]> {
  const rows = await ctx.plain((redis) => redis.lrange(ctx.keys.global('labDrills'), 0, LAB_DRILLS_KEPT - 1));
  return rows.flatMap((row) => parseJsonRow(labDrillSchema, row) ?? []);
}

export const readLatestDrill = async (ctx: BrokerContext): Promise<LabDrill | null> =>
  parseJsonRow(labDrillSchema, await latestRow(ctx));

interface DrillChange {
  drill: LabDrill;
  isNew?: boolean;
  settings?: object;
  burst?: object;
  /** For the audit log; with the actor. */
  action?: 'lab.drill' | 'lab.drill-stop';
}

/** False: the latest drill is no longer as it was read. */
const saveDrill = async (ctx: BrokerContext, before: string, change: DrillChange, by?: Actor) =>
  (await ctx.run('drill-save', null, [
    before,
    JSON.stringify(change.drill),
    change.isNew ? 1 : 0,
    change.settings ? JSON.stringify(change.settings) : '',
    change.burst ? JSON.stringify(change.burst) : '',
    LAB_DRILLS_KEPT,
    by && change.action ? change.action : '',
    by ? actorJson(by) : '',
  ])) === 1;

/** Repeats a change until no other change came between. @param next null: nothing to change */
async function changeLatest(
  ctx: BrokerContext,
  next: (latest: LabDrill | null) => Promise<DrillChange | null>,
  by?: Actor,
): Promise<LabDrill | null> {
  for (let left = TRIES; left > 0; left--) {
    const row = await latestRow(ctx);
    const change = await next(parseJsonRow(labDrillSchema, row));
    if (!change) return null;
    if (await saveDrill(ctx, row, change, by)) return change.drill;
  }
  throw new RedriveError('LIMIT_REACHED', 'The drill was changed by others at the same time. Try again.');
}

/** Changes the settings to the drill's and does what it does once. @throws RedriveError LIMIT_REACHED one is running */
export async function startDrill(ctx: ShardedContext, id: LabDrillId, by?: Actor): Promise<void> {
  const plan = LAB_DRILL_PLANS[id];
  await changeLatest(
    ctx,
    async (latest) => {
      if (latest && latest.stoppedAt === null)
        throw new RedriveError(
          'LIMIT_REACHED',
          `The drill "${LAB_DRILL_PLANS[latest.id].title}" is running. Stop it first.`,
        );
      const [baseline, before] = [await measureLab(ctx), await readLabSettings(ctx)];
      return {
        drill: newDrill(id, baseline.at, before, baseline),
        isNew: true,
        settings: drillSettings(id),
        burst: plan.burst,
        action: 'lab.drill',
      };
    },
    by,
  );
  if (!plan.cutsConnections) return;
  const connectionsCut = await cutWorkerConnections(ctx);
  await changeLatest(ctx, async (latest) => latest && { drill: { ...latest, connectionsCut } });
}

/** Returns to the settings of before. Nothing happens when no drill is running. */
export async function stopDrill(ctx: ShardedContext, by?: Actor): Promise<void> {
  await changeLatest(
    ctx,
    async (latest) => {
      if (!latest || latest.stoppedAt !== null) return null;
      const sample = await measureLab(ctx);
      // What it did since the last sample counts as well.
      const scored = scoreDrill(latest, sample, false);
      return {
        drill: { ...scored, stoppedAt: sample.at, diedAtStop: sample.died },
        settings: latest.before,
        action: 'lab.drill-stop',
      };
    },
    by,
  );
}

/** A console's verdict said what the drill does. The first of them counts. */
export async function noticeDrill(ctx: ShardedContext, startedAt: number, at: number): Promise<void> {
  await changeLatest(ctx, async (latest) =>
    latest?.startedAt === startedAt && latest.verdictAt === null
      ? { drill: { ...latest, verdictAt: at } }
      : null,
  );
}

/** Measures the lab's queues, for the chart and the drill under way. @param serving whether every worker process runs */
export async function sampleLab(ctx: ShardedContext, serving: boolean): Promise<void> {
  const sample = await measureLab(ctx);
  await storeLabSample(ctx, sample);
  const row = await latestRow(ctx);
  const latest = parseJsonRow(labDrillSchema, row);
  const drill = latest && scoreDrill(latest, sample, serving);
  // A change by the console wins; the next sample scores again.
  if (drill && drill !== latest) await saveDrill(ctx, row, { drill });
}

/** Closes every connection of the demo's workers. Null: this Redis does not allow it. */
async function cutWorkerConnections(ctx: BrokerContext): Promise<number | null> {
  try {
    const list = String(await ctx.plain((redis) => redis.call('CLIENT', 'LIST', 'TYPE', 'normal')));
    const ids = list
      .split('\n')
      .filter((line) => line.includes(` name=${LAB_CONNECTION_NAME} `))
      .flatMap((line) => /^id=(\d+) /.exec(line)?.[1] ?? []);
    for (const id of ids) await ctx.plain((redis) => redis.call('CLIENT', 'KILL', 'ID', id));
    return ids.length;
  } catch (error) {
    if (error instanceof RedriveError && error.code === 'REDIS_UNAVAILABLE') throw error;
    return null;
  }
}
