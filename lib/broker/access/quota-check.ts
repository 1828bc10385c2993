/** Asks scripts for room under a quota all users share, and says in a sentence why there was none. */
import {
  describeQuotaRefusal,
  QUOTAS,
  type QuotaName,
  type QuotaUsage,
  quotaRequest,
} from '@/lib/contract/access/quotas';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { BrokerContext } from '../redis/broker-context';
import { scanHash } from '../redis/scan-hash';
import { replyText } from '../redis/script-reply';
import type { Actor } from './actor';

const NAMED_MAX = 3;
/** Some thousand owners: a refusal is not worth more of Redis's time. */
const SCANS_MAX = 10;

/** Several of `quotaArg` in one argument. */
export const quotaArgs = (...asks: readonly string[]): string => asks.join('\x1e');

/** The quota argument of a script, a field a line; see lua/access/shares.lua. @param at ms since 1970, where the age of a share matters */
export function quotaArg(quota: QuotaName, by: Actor | undefined, at?: number): string {
  const { total: most, perUser, perTenant, ownerId, name, tenants } = quotaRequest(quota, by?.quotaOwner);
  const bounds = [quota, most, perUser, perTenant, at ?? ''];
  return [...bounds, ownerId, name, tenants.join(' ')].join('\n');
}

/** The reason why a script refused a change; null if the script accepted it. Scripts reply `{ -1, why, quota }`. */
export function quotaRefusal(reply: unknown): { why: string; quota: QuotaName } | null {
  if (!Array.isArray(reply) || Number(reply[0]) !== -1 || reply.length < 3) return null;
  const quota = replyText(reply[2]);
  return quota in QUOTAS ? { why: replyText(reply[1]), quota: quota as QuotaName } : null;
}

/** Checks the quota before a change that writes elsewhere first; the script checks it again. @throws RedriveError LIMIT_REACHED */
export async function requireQuota(
  ctx: BrokerContext,
  key: string,
  { quota, by, least, field }: { quota: QuotaName; by: Actor | undefined; least: number; field: string },
): Promise<void> {
  const { ownerId, tenants, total: most, perUser, perTenant } = quotaRequest(quota, by?.quotaOwner);
  const fields = ['all', `user ${ownerId}`, ...tenants.map((tenant) => `tenant ${tenant}`)];
  const counts = await ctx.plain((redis) => redis.hmget(key, ...fields.map((name) => `${quota} ${name}`)));
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
  if (why !== null) throw await quotaReachedError(ctx, key, { why, quota }, by, field, least);
}

/** @param reply of a script that was given a `quotaArg` @throws RedriveError LIMIT_REACHED */
export async function throwIfOverQuota(
  ctx: BrokerContext,
  reply: unknown,
  key: string,
  by: Actor | undefined,
  field: string,
): Promise<void> {
  const refusal = quotaRefusal(reply);
  if (refusal) throw await quotaReachedError(ctx, key, refusal, by, field);
}

/** @param key of the shares @param field of the request that is refused */
export async function quotaReachedError(
  ctx: BrokerContext,
  key: string,
  { why, quota }: { why: string; quota: QuotaName },
  by: Actor | undefined,
  field: string,
  least = 0,
): Promise<RedriveError> {
  const held = await holdings(ctx, key, quota, by);
  const { detail, message } = describeQuotaRefusal(quota, why, { ...held, all: Math.max(held.all, least) });
  return new RedriveError('LIMIT_REACHED', `${detail} Nothing was changed.`, {
    fields: [{ field, message }],
  });
}

async function holdings(
  ctx: BrokerContext,
  key: string,
  quota: QuotaName,
  by: Actor | undefined,
): Promise<QuotaUsage> {
  const { ownerId: own } = quotaRequest(quota, by?.quotaOwner);
  const user = `${quota} user `;
  const [all, mine] = await ctx.plain((redis) => redis.hmget(key, `${quota} all`, user + own));
  const holdings = { all: Number(all ?? 0), own: Number(mine ?? 0) };
  if (!seesNames(quota, by)) return { ...holdings, others: null };
  const counts = new Map<string, number>();
  for await (const page of scanHash(ctx, key, SCANS_MAX))
    for (const [field, count] of page)
      if (field.startsWith(user)) counts.set(field.slice(user.length), Number(count));
  counts.delete(own);
  const top = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, NAMED_MAX);
  if (top.length === 0) return { ...holdings, others: [] };
  const names = await ctx.plain((redis) => redis.hmget(key, ...top.map(([id]) => `${quota} name ${id}`)));
  return { ...holdings, others: top.map(([id, count], i) => ({ name: names[i] ?? id, count })) };
}

/** Who calls the library holds its Redis, and sees all there is. */
const seesNames = (quota: QuotaName, by: Actor | undefined): boolean =>
  by?.quotaOwner === undefined ||
  (QUOTAS[quota].namesFor === 'view' ? by.quotaOwner.seesAll : by.quotaOwner.isAdmin);
