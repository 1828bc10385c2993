/**
 * Settings of a queue over all its shards. The first shard decides: it keeps the queue's totals (`whole`) and revision; the others follow,
 * each with its part, never back to an older revision.
 */

import { type Actor, actorJson } from '@/lib/broker/access/actor';
import { payAhead } from '@/lib/broker/redis/scripts/audit-purse';
import { changeOtherShards } from '@/lib/broker/shards/fan-out';
import type { ShardLayout } from '@/lib/broker/shards/shard-layout';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import {
  type ConfigPatch,
  type ConfigReply,
  type QueueConfig,
  queueConfigSchema,
} from '@/lib/contract/queues/queue-config';
import { RedriveError } from '@/lib/contract/redrive-error';
import { forgetRedaction } from './queue-redaction';
import { settingsTexts } from './settings-change-text';
import { changedFields, type QueueSettings, readQueueSettings } from './settings-fields';
import {
  checkSplit,
  isNewerTotals,
  parseTotals,
  type QueueTotals,
  settingsOfShard,
  totalsJson,
  withTotals,
} from './split-settings';

const TRIES = 8;

/** As asked for, from the first shard that answers. */
export async function readConfig(ctx: ShardedContext, layout: ShardLayout): Promise<ConfigReply> {
  let trouble: unknown;
  for (const name of layout.names) {
    try {
      const found = await readQueueSettings(ctx, name);
      const whole = totalsIn(found, layout);
      return {
        config: withTotals(found.config, whole),
        revision: name === layout.queue ? found.revision : (whole?.revision ?? 0),
        draining: found.draining,
        shards: { count: layout.count, by: layout.by },
      };
    } catch (error) {
      trouble ??= error;
    }
  }
  throw trouble;
}

export const getConfig = async (ctx: ShardedContext, queue: string): Promise<ConfigReply> =>
  readConfig(ctx, ctx.shards.recent(queue) ?? (await ctx.shards.of(queue)));

/** Throws if the user must not change these present settings. */
export type MayChangeSettings = (now: QueueConfig) => void;

/**
 * Changes the given settings of a running queue, all or none.
 * @param may decides on the settings that are changed: others saved meanwhile are decided on again
 * @throws RedriveError VALIDATION naming the field | CONFIG_CHANGED when `ifRevision` is no longer the revision
 * @throws RedriveError UNKNOWN_OUTCOME when some shards did not answer: they follow when the change is sent again
 */
export async function changeConfig(
  ctx: ShardedContext,
  queue: string,
  patch: ConfigPatch,
  by: Actor,
  may: MayChangeSettings = () => {},
): Promise<ConfigReply> {
  const layout = await ctx.shards.fresh(queue);
  await payAhead(layout.names);
  await changeFirst(ctx, layout, patch, by, may);
  if (layout.count > 1) await follow(ctx, layout, by);
  forgetRedaction(ctx, queue);
  return readConfig(ctx, layout);
}

/** The first shard decides: once it has the change, the others follow. */
async function changeFirst(
  ctx: ShardedContext,
  layout: ShardLayout,
  { reason, ifRevision, ...patch }: ConfigPatch,
  by: Actor,
  may: MayChangeSettings,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  for (let tries = 0; tries < TRIES; tries++) {
    const first = await readQueueSettings(ctx, layout.queue);
    if (ifRevision !== undefined && ifRevision !== first.revision) break;
    const before = withTotals(first.config, totalsIn(first, layout));
    may(before);
    const after = parseOrThrow(queueConfigSchema, { ...before, ...given }, 'config');
    checkSplit(after, layout);
    const event = { by: actorJson({ ...by, reason: reason ?? by.reason }), ...settingsTexts(before, after) };
    if (await write(ctx, layout, 0, first, after, first.revision + 1, event)) return;
  }
  throw new RedriveError(
    'CONFIG_CHANGED',
    `The settings of ${layout.queue} were changed by another user meanwhile. Nothing was changed; look at them again, then repeat the change.`,
    { fields: [{ field: 'ifRevision', message: 'is no longer the current revision' }] },
  );
}

/** The queue's limits, which shards keep beside their parts; a queue of one shard has no parts. */
const totalsIn = ({ fields }: QueueSettings, { count }: ShardLayout): QueueTotals | null =>
  count === 1 ? null : parseTotals(fields.get('whole'));

interface ChangeTexts {
  by: string;
  before: string;
  after: string;
}

/** Writes one shard's part, unless its settings were changed since they were read. */
async function write(
  ctx: ShardedContext,
  layout: ShardLayout,
  shard: number,
  present: QueueSettings,
  whole: QueueConfig,
  revision: number,
  { by, before, after }: ChangeTexts,
): Promise<boolean> {
  const changes = [...changedFields(settingsOfShard(whole, layout, shard), present.fields)];
  const sets = changes.flatMap(([field, value]) => (value === null ? [] : [field, value]));
  const clears = changes.flatMap(([field, value]) => (value === null ? [field] : []));
  if (layout.count > 1) sets.push('whole', totalsJson(whole, layout.generation, revision));
  const name = layout.names[shard] ?? layout.queue;
  const args = [present.revision, by, before, after, sets.length / 2, ...sets, ...clears];
  return Number(await ctx.run('configure', name, args)) >= 0;
}

/** Every other shard takes over what the first one says, unless it has heard of something newer. */
async function follow(ctx: ShardedContext, layout: ShardLayout, by: Actor): Promise<void> {
  const first = await readQueueSettings(ctx, layout.queue);
  const whole = parseTotals(first.fields.get('whole'));
  if (!whole) return;
  const config = withTotals(first.config, whole);
  const event = { by: actorJson(by), before: '', after: '' };
  await changeOtherShards(layout, 'The settings', async (name, shard) => {
    for (let tries = 0; tries < TRIES; tries++) {
      const present = await readQueueSettings(ctx, name);
      if (!isNewerTotals(whole, parseTotals(present.fields.get('whole')))) return;
      if (await write(ctx, layout, shard, present, config, whole.revision, event)) return;
    }
    throw new RedriveError('CONFIG_CHANGED', `The settings of ${name} are being changed all the time.`);
  });
}

/** After a change of the sharding: limits are shared out anew, and new shards get everything the queue has. */
export async function copySettings(ctx: ShardedContext, layout: ShardLayout, by: Actor): Promise<void> {
  if (layout.count === 1) return;
  for (let tries = 0; tries < TRIES; tries++) {
    const first = await readQueueSettings(ctx, layout.queue);
    const whole = parseTotals(first.fields.get('whole'));
    if (whole && whole.generation >= layout.generation) break;
    const reason = `Limits shared out over ${layout.count} shards`;
    const event = { by: actorJson({ ...by, reason }), before: '', after: '' };
    const config = withTotals(first.config, whole);
    if (await write(ctx, layout, 0, first, config, first.revision + 1, event)) break;
  }
  await follow(ctx, layout, by);
  const draining = (await readQueueSettings(ctx, layout.queue)).fields.get('draining')?.replace(/^\d+ /, '');
  if (draining === undefined) return;
  await changeOtherShards(layout, 'Draining', (name) => ctx.run('drain', name, [1, draining]));
}
