/**
 * How a queue lies over hash slots. Pure, so that every process places a job by the same rule. Each shard is a complete queue with a
 * physical name: `orders`, `orders#1`, `orders#2` …
 */
import { type Sharding, shardingSchema } from '@/lib/contract/queues/queue-config';

export interface ShardLayout extends Sharding {
  readonly queue: string;
  /** Goes up with every change of the sharding, so that enqueue.lua finds producers of an older one. */
  readonly generation: number;
  /** The physical name of each shard. */
  readonly names: readonly string[];
}

/** What decides where a job goes. */
export interface ShardedJob {
  readonly jobId: string;
  readonly tenantId: string;
  readonly unique?: { readonly key: string };
}

export const physicalName = (queue: string, shard: number): string =>
  shard === 0 ? queue : `${queue}#${shard}`;

/** The queue a physical name belongs to. */
export function logicalName(physical: string): string {
  const at = physical.indexOf('#');
  return at < 0 ? physical : physical.slice(0, at);
}

export const shardOfName = (physical: string): number => {
  const at = physical.indexOf('#');
  return at < 0 ? 0 : Number(physical.slice(at + 1));
};

export function layoutOf(queue: string, sharding: Sharding, generation: number): ShardLayout {
  const names = Array.from({ length: sharding.count }, (_, shard) => physicalName(queue, shard));
  return { queue, ...sharding, generation, names };
}

/** As shards keep it, to tell producers that go by an older one. Empty: it was never set. */
export const shardingText = ({ generation, count, by }: Omit<ShardLayout, 'queue' | 'names'>): string =>
  generation === 0 ? '' : `${generation} ${count} ${by}`;

/** Null for what no shard would write. */
export function parseLayout(queue: string, text: string | null): ShardLayout | null {
  const [, generation, count, by] = /^(\d{1,15}) (\d{1,2}) (id|tenant)$/.exec(text ?? '') ?? [];
  const sharding = shardingSchema.safeParse({ count: Number(count), by });
  return sharding.success ? layoutOf(queue, sharding.data, Number(generation)) : null;
}

export const singleShard = (queue: string): ShardLayout => layoutOf(queue, { count: 1, by: 'id' }, 0);

/**
 * By tenant: all jobs and unique keys of a tenant are in one shard. By id: spread evenly, but a job with a uniqueness key goes to the shard
 * of that key, or two shards would each take one.
 */
export function shardOfJob(layout: ShardLayout, job: ShardedJob): number {
  if (layout.count === 1) return 0;
  if (layout.by === 'tenant') return hash(job.tenantId) % layout.count;
  return job.unique === undefined
    ? shardOfId(layout, job.jobId)
    : hash(`unique ${job.unique.key}`) % layout.count;
}

/** Where to look for an id first. In a queue that is sharded by tenant the id says nothing: any shard is as good. */
export const shardOfId = (layout: ShardLayout, jobId: string): number => hash(jobId) % layout.count;

/** 32 bits of FNV-1a with murmur's finish, so similar ids spread evenly. Never change it: jobs are found by the rule that placed them. */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Splits a whole number so that the parts add up to it. */
export function divide(total: number, parts: number): number[] {
  const base = Math.floor(total / parts);
  return Array.from({ length: parts }, (_, i) => base + (i < total % parts ? 1 : 0));
}

const NONCE_MAX_CHARS = 32;
const SUFFIX_MAX_CHARS = 3;

/** The nonce of a claim in one shard ends in `x<shard>`, and so do its tokens, by which ack, fail, extend and release find the shard. */
export function shardNonce(shard: number, nonce: string, shorten: (nonce: string) => string): string {
  const fits = nonce.length <= NONCE_MAX_CHARS - SUFFIX_MAX_CHARS;
  return `${fits ? nonce : shorten(nonce)}x${shard}`;
}

/** The shard a token names. One from before the queue was sharded names none: it was claimed in the first. */
export function shardOfToken(layout: ShardLayout, token: string): number {
  const shard = Number(/x(\d{1,2})$/.exec(token)?.[1] ?? 0);
  return shard < layout.count ? shard : 0;
}
