/** How each user wants tables. Nothing else depends on it, so a row that is lost or damaged is as if nothing was chosen. */
import { tableSettingsSchema } from '@/lib/contract/access/access-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import type { TableSettings } from '@/lib/format/column-settings';
import type { BrokerContext } from '../redis/broker-context';
import { parseJsonRow } from '../redis/parse-json';
import { replyList, replyText } from '../redis/script-reply';
import { checkUserId } from './access-row-fields';

/** Of as many users, at most some 40 MB. */
export const TABLE_ROWS_MAX = 5_000;
/** Each save makes room for as many that others saved at the same moment. */
const REMOVED_MAX = 10;

export const TABLE_VERBS = { get: getTables, save: saveTables };

async function getTables(ctx: BrokerContext, owner: string): Promise<TableSettings | null> {
  const field = checkUserId(owner);
  const row = await ctx.plain((redis) => redis.hget(ctx.keys.global('accessTables'), field));
  return row === null ? null : parseJsonRow(tableSettingsSchema, row);
}

/** Of more than 5,000 users, it forgets one of the others. @throws RedriveError VALIDATION */
async function saveTables(ctx: BrokerContext, owner: string, settings: TableSettings): Promise<void> {
  const field = checkUserId(owner);
  const row = JSON.stringify(parseOrThrow(tableSettingsSchema, settings, 'tables'));
  const key = ctx.keys.global('accessTables');
  await ctx.plain((redis) => redis.hset(key, field, row));
  const surplus = (await ctx.plain((redis) => redis.hlen(key))) - TABLE_ROWS_MAX;
  if (surplus <= 0) return;
  const drawn = replyList(
    await ctx.plain((redis) => redis.hrandfield(key, Math.min(surplus, REMOVED_MAX) + 1)),
    'HRANDFIELD',
  ).map(replyText);
  const others = drawn.filter((other) => other !== field).slice(0, surplus);
  if (others.length > 0) await ctx.plain((redis) => redis.hdel(key, ...others));
}
