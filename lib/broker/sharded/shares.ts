/** Limits on a whole queue, shared out over its shards. Pure. */
import { type QueueConfig, queueConfigSchema } from '@/lib/contract/config';
import { RedriveError } from '@/lib/contract/errors';
import { divide, type Layout } from './layout';

/** What is a limit on all shards together; everything else is the same in each. */
const SHARED = ['depthLimit', 'rate', 'concurrency', 'completedKeep', 'completedKeepBytes'] as const;
type SharedField = (typeof SHARED)[number];

/** What was asked for, as every shard keeps it beside its share. */
export interface Whole extends Pick<QueueConfig, SharedField> {
  /** Of which sharding, and which revision of the first shard's settings: the newer one holds. */
  readonly generation: number;
  readonly revision: number;
}

/** The parts of one shard. They add up to the whole. */
export function shareOf(whole: QueueConfig, { count }: Layout, shard: number): QueueConfig {
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

/** @throws RedriveError VALIDATION when a limit is too small to be shared, or cannot be kept by shards that share tenants */
export function checkShares(config: QueueConfig, { queue, count, by }: Layout): void {
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

export function wholeText(config: QueueConfig, generation: number, revision: number): string {
  const shared = Object.fromEntries(SHARED.map((field) => [field, config[field]]));
  return JSON.stringify({ generation, revision, ...shared });
}

/** Null when there is none, or none that can be read: then the shard's own settings are all that is known. */
export function wholeOf(text: string | undefined): Whole | null {
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('generation' in value) || !('revision' in value))
      return null;
    const { generation, revision, ...shared } = value;
    const parsed = queueConfigSchema
      .pick({
        depthLimit: true,
        rate: true,
        concurrency: true,
        completedKeep: true,
        completedKeepBytes: true,
      })
      .safeParse(shared);
    return parsed.success
      ? { generation: Number(generation), revision: Number(revision), ...parsed.data }
      : null;
  } catch {
    return null;
  }
}

/** Newer by sharding first, then by revision. */
export const isNewer = (a: Whole, b: Whole | null): boolean =>
  b === null || a.generation > b.generation || (a.generation === b.generation && a.revision > b.revision);

/** The settings people asked for, from those of one shard. */
export function withWhole(config: QueueConfig, whole: Whole | null): QueueConfig {
  if (!whole) return config;
  const { generation: _, revision: __, ...shared } = whole;
  return { ...config, ...shared };
}
