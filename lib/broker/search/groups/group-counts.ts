import type { ShardRef } from '@/lib/broker/shards/shard-ref';

/** What one shard, or several together, know of a failure group besides the numbers of the aggregate. Times in ms. */
export interface GroupCounts {
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Deaths an hour, up to now. */
  readonly trend: number[];
  /** Dead letters of the last hour, in steps of five minutes up to now; null: none. */
  readonly lastHour: number[] | null;
  /** The newest dead letter. */
  readonly sample: { readonly shard: ShardRef; readonly jobId: string; readonly diedAt: number } | null;
}
