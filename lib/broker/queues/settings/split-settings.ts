/** Limits on a whole queue, shared out over its shards. Pure. */

import { parseJsonObject } from '@/lib/broker/redis/parse-json';
import { divide, type ShardLayout } from '@/lib/broker/shards/shard-layout';
import { type QueueConfig, queueConfigSchema } from '@/lib/contract/queues/queue-config';
import { RedriveError } from '@/lib/contract/redrive-error';

/** Limits on all shards together; all other settings are the same in each. */
const sharedSchema = queueConfigSchema.pick({
  depthLimit: true,
  rate: true,
  concurrency: true,
  completedKeep: true,
  completedKeepBytes: true,
});
type SharedField = keyof typeof sharedSchema.shape;
const SHARED = Object.keys(sharedSchema.shape) as SharedField[];

/** The limits of the whole queue, which every shard keeps beside its part. */
export interface QueueTotals extends Pick<QueueConfig, SharedField> {
  /** Of which sharding, and which revision of the first shard's settings: the newer one holds. */
  readonly generation: number;
  readonly revision: number;
}

/** The parts of one shard. They add up to the whole. */
export function settingsOfShard(whole: QueueConfig, { count }: ShardLayout, shard: number): QueueConfig {
  const part = (total: number) => divide(total, count)[shard] ?? 0;
  return {
    ...whole,
    depthLimit: whole.depthLimit === null ? null : part(whole.depthLimit),
    concurrency: whole.concurrency === null ? null : part(whole.concurrency),
    completedKeep: part(whole.completedKeep),
    completedKeepBytes: whole.completedKeepBytes === null ? null : part(whole.completedKeepBytes),
    rate: whole.rate && { perSecond: whole.rate.perSecond / count, burst: part(whole.rate.burst) },
  };
}

const RATE_MIN_PER_SECOND = 0.001;
const KEEP_BYTES_MIN = 1_024;

/** @throws RedriveError VALIDATION when a limit is too small to split, or needs all jobs of a tenant in one shard */
export function checkSplit(config: QueueConfig, { queue, count, by }: ShardLayout): void {
  if (count === 1) return;
  const wrong: { field: string; message: string }[] = [];
  const atLeast = (field: string, value: number | null | undefined, least: number) => {
    if (value !== null && value !== undefined && value < least)
      wrong.push({
        field,
        message: `must be at least ${least}, so that each of the ${count} shards has its part`,
      });
  };
  atLeast('depthLimit', config.depthLimit, count);
  atLeast('concurrency', config.concurrency, count);
  atLeast('rate.burst', config.rate?.burst, count);
  atLeast('rate.perSecond', config.rate?.perSecond, count * RATE_MIN_PER_SECOND);
  atLeast('completedKeepBytes', config.completedKeepBytes, count * KEEP_BYTES_MIN);
  if (by === 'id' && config.tenantLimit)
    wrong.push({
      field: 'tenantLimit',
      message: 'needs sharding by tenant: by id, a tenant is in every shard',
    });
  if (by === 'id' && Object.keys(config.tenantLimits).length > 0)
    wrong.push({
      field: 'tenantLimits',
      message: 'needs sharding by tenant: by id, a tenant is in every shard',
    });
  if (wrong.length > 0)
    throw new RedriveError(
      'VALIDATION',
      `These settings do not fit the ${count} shards of ${queue}: ${wrong.map((one) => `${one.field} ${one.message}`).join('; ')}.`,
      { fields: wrong },
    );
}

export function totalsJson(config: QueueConfig, generation: number, revision: number): string {
  const shared = Object.fromEntries(SHARED.map((field) => [field, config[field]]));
  return JSON.stringify({ generation, revision, ...shared });
}

/** Null: none, or unreadable; then the shard's own settings stand. */
export function parseTotals(text: string | undefined): QueueTotals | null {
  const { generation, revision, ...shared } = parseJsonObject(text) ?? {};
  if (generation === undefined || revision === undefined) return null;
  const { data } = sharedSchema.safeParse(shared);
  return data ? { generation: Number(generation), revision: Number(revision), ...data } : null;
}

/** Newer by sharding first, then by revision. */
export const isNewerTotals = (a: QueueTotals, b: QueueTotals | null): boolean =>
  b === null || a.generation > b.generation || (a.generation === b.generation && a.revision > b.revision);

/** The settings of the whole queue, from those of one shard. */
export function withTotals(config: QueueConfig, whole: QueueTotals | null): QueueConfig {
  if (!whole) return config;
  const { generation: _, revision: __, ...shared } = whole;
  return { ...config, ...shared };
}
