import { type ConfigPatch, configPatchSchema, queueConfigSchema } from '@/lib/contract/config';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { settingsTexts } from '../audit/settings-text';
import { changesTo } from '../config-fields';
import type { BrokerContext } from '../context';
import { type Settings, settings } from '../inspect/settings';
import { type Actor, actorNote } from '../note';

/** Rival changes that do not touch the same moment are retried; this many in a row means something is writing without end. */
const TRIES = 5;

/**
 * Changes settings of a queue while it runs: the fields given, checked as a whole, all or none.
 * @throws RedriveError VALIDATION naming the field
 * @throws RedriveError CONFIG_CHANGED when `ifRevision` is given and somebody changed them since
 */
export async function configure(
  ctx: BrokerContext,
  queue: string,
  input: ConfigPatch,
  by: Actor,
): Promise<Settings> {
  const { reason, ifRevision, ...patch } = parseOrThrow(configPatchSchema, input, 'config');
  for (let tries = 0; tries < TRIES; tries++) {
    const { fields, revision, config: before } = await settings(ctx, queue);
    if (ifRevision !== undefined && ifRevision !== revision) break;
    const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    const after = parseOrThrow(queueConfigSchema, { ...before, ...given }, 'config');
    const changes = [...changesTo(after, fields)];
    const sets = changes.flatMap(([field, value]) => (value === null ? [] : [field, value]));
    const clears = changes.flatMap(([field, value]) => (value === null ? [field] : []));
    const texts = settingsTexts(before, after);
    const reply = await ctx.run('configure', queue, [
      revision,
      actorNote({ ...by, reason: reason ?? by.reason }),
      texts.before,
      texts.after,
      sets.length / 2,
      ...sets,
      ...clears,
    ]);
    if (Number(reply) >= 0) return settings(ctx, queue);
    if (ifRevision !== undefined) break;
  }
  throw new RedriveError(
    'CONFIG_CHANGED',
    `The settings of ${queue} were changed by somebody else meanwhile. Nothing was changed; look at them again, then repeat the change.`,
    { fields: [{ field: 'ifRevision', message: 'is no longer the current revision' }] },
  );
}
