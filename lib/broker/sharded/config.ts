/**
 * Settings of a queue over all its shards. The first shard has the last word: it keeps what was asked for (`whole`) and its
 * revision is the queue's; the others follow, each with its share, never back to an older one.
 */
import {
  type ConfigPatch,
  type ConfigReply,
  configPatchSchema,
  type QueueConfig,
  queueConfigSchema,
} from '@/lib/contract/config';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { settingsTexts } from '../audit/settings-text';
import { changesTo } from '../config-fields';
import { type Settings, settings } from '../inspect/settings';
import { type Actor, actorNote } from '../note';
import { forgetRedaction } from '../redaction';
import type { ShardedContext } from '../shards';
import { configure } from '../verbs/configure';
import { allOf, fanOut } from './fan-out';
import type { Layout } from './layout';
import { checkShares, isNewer, shareOf, type Whole, wholeOf, wholeText, withWhole } from './shares';

export { checkShares } from './shares';

const TRIES = 8;

/** As asked for, from the first shard that answers. */
export async function readConfig(ctx: ShardedContext, layout: Layout): Promise<ConfigReply> {
  let trouble: unknown;
  for (const name of layout.names) {
    try {
      const found = await settings(ctx, name);
      const whole = layout.count === 1 ? null : wholeOf(found.fields.get('whole'));
      return {
        config: withWhole(found.config, whole),
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

/**
 * Changes settings of a queue while it runs: the fields given, checked as a whole, all or none.
 * @throws RedriveError VALIDATION naming the field
 * @throws RedriveError CONFIG_CHANGED when `ifRevision` is given and somebody changed them since
 * @throws RedriveError UNKNOWN_OUTCOME when some shards did not answer: they follow when the change is sent again
 */
export async function changeConfig(
  ctx: ShardedContext,
  queue: string,
  input: ConfigPatch,
  by: Actor,
): Promise<ConfigReply> {
  const layout = await ctx.shards.fresh(queue);
  if (layout.count === 1) await configure(ctx, queue, input, by);
  else await changeAll(ctx, layout, input, by);
  forgetRedaction(ctx, queue);
  return readConfig(ctx, layout);
}

async function changeAll(ctx: ShardedContext, layout: Layout, input: ConfigPatch, by: Actor): Promise<void> {
  const { reason, ifRevision, ...patch } = parseOrThrow(configPatchSchema, input, 'config');
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  for (let tries = 0; tries < TRIES; tries++) {
    const first = await settings(ctx, layout.queue);
    if (ifRevision !== undefined && ifRevision !== first.revision) break;
    const before = withWhole(first.config, wholeOf(first.fields.get('whole')));
    const after = parseOrThrow(queueConfigSchema, { ...before, ...given }, 'config');
    checkShares(after, layout);
    const note = actorNote({ ...by, reason: reason ?? by.reason });
    const record = { note, ...settingsTexts(before, after) };
    if (await write(ctx, layout, 0, first, after, first.revision + 1, record)) return follow(ctx, layout, by);
  }
  throw new RedriveError(
    'CONFIG_CHANGED',
    `The settings of ${layout.queue} were changed by somebody else meanwhile. Nothing was changed; look at them again, then repeat the change.`,
    { fields: [{ field: 'ifRevision', message: 'is no longer the current revision' }] },
  );
}

interface Record {
  note: string;
  before: string;
  after: string;
}

/** Writes one shard's part, unless its settings were changed since they were read. */
async function write(
  ctx: ShardedContext,
  layout: Layout,
  shard: number,
  present: Settings,
  whole: QueueConfig,
  revision: number,
  { note, before, after }: Record,
): Promise<boolean> {
  const changes = [...changesTo(shareOf(whole, layout, shard), present.fields)];
  const sets = changes.flatMap(([field, value]) => (value === null ? [] : [field, value]));
  const clears = changes.flatMap(([field, value]) => (value === null ? [field] : []));
  sets.push('whole', wholeText(whole, layout.generation, revision));
  const name = layout.names[shard] ?? layout.queue;
  const args = [present.revision, note, before, after, sets.length / 2, ...sets, ...clears];
  return Number(await ctx.run('configure', name, args)) >= 0;
}

/** Every other shard takes over what the first one says, unless it has heard of something newer. */
async function follow(ctx: ShardedContext, layout: Layout, by: Actor): Promise<void> {
  const first = await settings(ctx, layout.queue);
  const whole = wholeOf(first.fields.get('whole'));
  if (!whole) return;
  const shards = layout.names.map((_, shard) => shard).slice(1);
  const config = withWhole(first.config, whole);
  allOf(
    await fanOut(layout, (name, shard) => followIn(ctx, layout, name, shard, config, whole, by), { shards }),
    layout,
    'The settings',
  );
}

async function followIn(
  ctx: ShardedContext,
  layout: Layout,
  name: string,
  shard: number,
  config: QueueConfig,
  whole: Whole,
  by: Actor,
): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const present = await settings(ctx, name);
    if (!isNewer(whole, wholeOf(present.fields.get('whole')))) return;
    const record = { note: actorNote(by), before: '', after: '' };
    if (await write(ctx, layout, shard, present, config, whole.revision, record)) return;
  }
  throw new RedriveError('CONFIG_CHANGED', `The settings of ${name} are being changed all the time.`);
}

/** After a change of the sharding: limits are shared out anew, and new shards get everything the queue has. */
export async function shareSettings(ctx: ShardedContext, layout: Layout, by: Actor): Promise<void> {
  if (layout.count === 1) return;
  for (let tries = 0; tries < TRIES; tries++) {
    const first = await settings(ctx, layout.queue);
    const whole = wholeOf(first.fields.get('whole'));
    if (whole && whole.generation >= layout.generation) break;
    const reason = `Limits shared out over ${layout.count} shards`;
    const record = { note: actorNote({ ...by, reason }), before: '', after: '' };
    const config = withWhole(first.config, whole);
    if (await write(ctx, layout, 0, first, config, first.revision + 1, record)) break;
  }
  await follow(ctx, layout, by);
  const draining = (await settings(ctx, layout.queue)).fields.get('draining')?.replace(/^\d+ /, '');
  if (draining === undefined) return;
  const shards = layout.names.map((_, shard) => shard).slice(1);
  allOf(
    await fanOut(layout, (name) => ctx.run('drain', name, [1, draining]), { shards }),
    layout,
    'Draining',
  );
}
