/** Asks scripts for room under a ceiling all users share, and says in a sentence why there was none. */
import {
  CEILINGS,
  type CeilingName,
  type Holdings,
  refusalWords,
  shareRequest,
} from '@/lib/contract/ceilings';
import { RedriveError } from '@/lib/contract/errors';
import type { BrokerContext } from './context';
import type { Actor } from './note';
import { text } from './reply';

const NAMED_MAX = 3;
/** Some thousand holders: a refusal is not worth more of Redis's time. */
const SCAN_COUNT = 500;
const SCANS_MAX = 10;

/** Several of `shareArg` in one argument. */
export const shareArgs = (...asks: readonly string[]): string => asks.join('\x1e');

/**
 * The argument of a script that includes shares.lua: a line each of what `share_ask` reads.
 * @param at ms since 1970, where it matters since when a share is held
 */
export function shareArg(ceiling: CeilingName, by: Actor | undefined, at?: number): string {
  const { most, perUser, perTenant, holder, name, tenants } = shareRequest(ceiling, by?.holder);
  const bounds = [ceiling, most, perUser, perTenant, at ?? ''];
  return [...bounds, holder, name, tenants.join(' ')].join('\n');
}

/** Why a script refused; null: it did not. Scripts reply `{ -1, why, ceiling }`. */
export function shareRefusal(reply: unknown): { why: string; ceiling: CeilingName } | null {
  if (!Array.isArray(reply) || Number(reply[0]) !== -1 || reply.length < 3) return null;
  const ceiling = text(reply[2]);
  return ceiling in CEILINGS ? { why: text(reply[1]), ceiling: ceiling as CeilingName } : null;
}

/**
 * The same question before a script asks it, for what leaves a trace elsewhere first.
 * @throws RedriveError LIMIT_REACHED
 */
export async function requireShare(
  ctx: BrokerContext,
  key: string,
  {
    ceiling,
    by,
    least,
    field,
  }: { ceiling: CeilingName; by: Actor | undefined; least: number; field: string },
): Promise<void> {
  const { holder, tenants, most, perUser, perTenant } = shareRequest(ceiling, by?.holder);
  const fields = ['all', `user ${holder}`, ...tenants.map((tenant) => `tenant ${tenant}`)];
  const counts = await ctx.plain((redis) => redis.hmget(key, ...fields.map((name) => `${ceiling} ${name}`)));
  const [all = 0, own = 0, ...ofTenants] = counts.map((count) => Number(count ?? 0));
  const full = perTenant > 0 ? ofTenants.findIndex((count) => count >= perTenant) : -1;
  const why =
    perUser > 0 && own >= perUser
      ? 'user'
      : full >= 0
        ? `tenant ${tenants[full]}`
        : Math.max(all, least) >= most
          ? 'whole'
          : null;
  if (why !== null) throw await limitReached(ctx, key, { why, ceiling }, by, field, least);
}

/** `key`: where the script keeps the shares. `field`: what of the request would be too much. */
export async function limitReached(
  ctx: BrokerContext,
  key: string,
  { why, ceiling }: { why: string; ceiling: CeilingName },
  by: Actor | undefined,
  field: string,
  least = 0,
): Promise<RedriveError> {
  const held = await holdings(ctx, key, ceiling, by);
  const { detail, message } = refusalWords(ceiling, why, { ...held, all: Math.max(held.all, least) });
  return new RedriveError('LIMIT_REACHED', `${detail} Nothing was changed.`, {
    fields: [{ field, message }],
  });
}

async function holdings(
  ctx: BrokerContext,
  key: string,
  ceiling: CeilingName,
  by: Actor | undefined,
): Promise<Holdings> {
  const { holder: own } = shareRequest(ceiling, by?.holder);
  const user = `${ceiling} user `;
  const [all, mine] = await ctx.plain((redis) => redis.hmget(key, `${ceiling} all`, user + own));
  const holdings = { all: Number(all ?? 0), own: Number(mine ?? 0) };
  if (!seesNames(ceiling, by)) return { ...holdings, others: null };
  const counts = new Map<string, number>();
  for (let cursor = '0', scans = 0; scans < SCANS_MAX; scans += 1) {
    const from = cursor;
    const [next, found] = await ctx.plain((redis) => redis.hscan(key, from, 'COUNT', SCAN_COUNT));
    for (let i = 0; i + 1 < found.length; i += 2) {
      const field = found[i] ?? '';
      if (field.startsWith(user)) counts.set(field.slice(user.length), Number(found[i + 1]));
    }
    cursor = next;
    if (cursor === '0') break;
  }
  counts.delete(own);
  const top = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, NAMED_MAX);
  if (top.length === 0) return { ...holdings, others: [] };
  const names = await ctx.plain((redis) => redis.hmget(key, ...top.map(([id]) => `${ceiling} name ${id}`)));
  return { ...holdings, others: top.map(([id, count], i) => ({ name: names[i] ?? id, count })) };
}

/** Who calls the library holds its Redis, and sees all there is. */
const seesNames = (ceiling: CeilingName, by: Actor | undefined): boolean =>
  by?.holder === undefined || (CEILINGS[ceiling].namesFor === 'view' ? by.holder.seesAll : by.holder.isAdmin);
