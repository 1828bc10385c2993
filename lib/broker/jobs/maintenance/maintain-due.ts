/**
 * Maintenance of very many queues: a cheap look finds the shards in which a lease expired or something else fell due. Any number of
 * consoles may run it at the same time, since every script only does the work that is left.
 */
import { runPipelines } from '@/lib/broker/redis/run-pipelines';
import { replyNumbers } from '@/lib/broker/redis/script-reply';
import { isCluster } from '@/lib/broker/redis/server-check';
import { askShards, forEachLimited } from '@/lib/broker/shards/fan-out';
import { type ShardRef, shardRefsOf } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { maintainShard, reclaimInShard } from './maintain-queue';

/** Columns whose heads fall due by time, in the order due.lua declares. */
const COLUMNS = ['inflight', 'scheduled', 'retry', 'pauses'] as const;
const SHARDS_PER_LOOK = 500;
/** Leases are looked at each time, other columns every second time: jobs that fall due have no promise to keep, and many queues have some. */
const LOOKS_PER_WHOLE_LOOK = 2;
const SHARDS_AT_ONCE = 16;
/** Leases of one shard taken back in one turn. */
const LEASES_PER_TURN = 1_000;
const [LEASE, OTHER] = [1, 2];

export interface DueMaintenanceResult {
  readonly shards: number;
  /** Leases taken back, and jobs that became ready because their time had come. */
  readonly reclaimed: number;
  readonly promoted: number;
  /** Shards that could not be looked at or maintained: left for the next turn. */
  readonly failed: readonly { readonly shard: ShardRef; readonly error: unknown }[];
}

interface Look {
  readonly due: { readonly shard: ShardRef; readonly what: number }[];
  readonly failed: DueMaintenanceResult['failed'][number][];
}

/** So many shards, and the names of their keys in the order that due.lua takes. */
interface Part {
  readonly shards: readonly ShardRef[];
  readonly keys: readonly string[];
  /** Of the first column alone. */
  readonly leaseKeys: readonly string[];
}

/** Looks again and again without making thousands of key names each time. */
export class DueMaintenance {
  private shards: readonly ShardRef[] = [];
  private parts: readonly Part[] = [];
  private looks = 0;
  private madeOf: { queues: readonly string[]; sharding: object } | null = null;

  constructor(private readonly ctx: ShardedContext) {}

  /**
   * Takes back expired leases of these queues, then maintains those in which something else fell due; outside of a Cluster every second time.
   * @param isSkipped shards to leave alone this time, such as those that just failed
   */
  async maintain(
    queues: readonly string[],
    isSkipped: (shard: ShardRef) => boolean = () => false,
  ): Promise<DueMaintenanceResult> {
    const { ctx } = this;
    await this.prepare(queues);
    const { shards } = this;
    const { due, failed } = isCluster(ctx.redis) ? await this.lookByNode(shards) : await this.look();
    const wanted = due.filter(({ shard }) => !isSkipped(shard));
    let [reclaimed, promoted] = [0, 0];
    const each = (some: Look['due'], work: (name: string) => Promise<void>) =>
      forEachLimited(some, SHARDS_AT_ONCE, async ({ shard }) => {
        await work(shard.name).catch((error: unknown) => failed.push({ shard, error }));
      });
    // Leases first: jobs of a dead worker wait for nothing else.
    await each(
      wanted.filter(({ what }) => what & LEASE),
      async (name) => {
        const { returned, died } = await reclaimInShard(ctx, name, LEASES_PER_TURN);
        reclaimed += returned + died;
      },
    );
    await each(
      wanted.filter(({ what }) => what & OTHER),
      async (name) => {
        const done = await maintainShard(ctx, name);
        promoted += done.promoted;
        reclaimed += done.reclaimed;
      },
    );
    return { shards: shards.length, reclaimed, promoted, failed };
  }

  /** The registry and the record of shardings answer with the same objects as long as nothing changed. */
  private async prepare(queues: readonly string[]): Promise<void> {
    const { ctx } = this;
    if (this.madeOf?.queues === queues && this.madeOf.sharding === ctx.shards.record()) return;
    const shards = await shardRefsOf(ctx, queues);
    const parts: Part[] = [];
    for (let i = 0; i < shards.length; i += SHARDS_PER_LOOK) {
      const some = shards.slice(i, i + SHARDS_PER_LOOK);
      const keys = some.flatMap(({ name }) => COLUMNS.map((column) => ctx.keys.column(name, column)));
      const leaseKeys = some.map(({ name }) => ctx.keys.column(name, COLUMNS[0]));
      parts.push({ shards: some, keys, leaseKeys });
    }
    this.shards = shards;
    this.parts = parts;
    this.madeOf = { queues, sharding: ctx.shards.record() };
  }

  private async look(): Promise<Look> {
    const { ctx } = this;
    await ctx.ready();
    const leasesOnly = this.looks++ % LOOKS_PER_WHOLE_LOOK > 0;
    const look: Look = { due: [], failed: [] };
    for (const { shards, keys, leaseKeys } of this.parts) {
      try {
        for (const number of await askDue(ctx, null, leasesOnly, leasesOnly ? leaseKeys : keys)) {
          const shard = shards[Math.floor(number / 4)];
          if (shard) look.due.push({ shard, what: number % 4 });
        }
      } catch (error) {
        look.failed.push(...shards.map((shard) => ({ shard, error })));
      }
    }
    return look;
  }

  /** A script may not name keys of several slots: one command a shard first finds those with any key. */
  private async lookByNode(shards: readonly ShardRef[]): Promise<Look> {
    const { ctx } = this;
    const firsts = shards.map(({ name }) => ctx.keys.column(name, COLUMNS[0]));
    const counts = await runPipelines(ctx, firsts, (pipeline, key) => {
      pipeline.exists(...COLUMNS.map((column) => key.slice(0, -COLUMNS[0].length) + column));
    });
    const unread = shards.flatMap((shard, i) =>
      counts[i] instanceof Error ? [{ shard, error: counts[i] }] : [],
    );
    const { answered, failed } = await askShards(
      shards.filter((_, i) => Number(counts[i]) > 0),
      SHARDS_AT_ONCE,
      ({ name }) => askDue(ctx, name, false),
    );
    const due = answered.flatMap(({ shard, value }) => value.map((number) => ({ shard, what: number % 4 })));
    return { due, failed: [...unread, ...failed] };
  }
}

/** The reply of shards-due.lua: once more with the type of each key, where one has the wrong type. */
async function askDue(
  ctx: ShardedContext,
  name: string | null,
  leasesOnly: boolean,
  keys?: readonly string[],
): Promise<number[]> {
  const ask = (careful: string) => ctx.run('shards-due', name, [careful, leasesOnly ? 1 : 0], { keys });
  const reply = await ask('').catch((error: unknown) => {
    if (!String(error).includes('WRONGTYPE')) throw error;
    return ask('1');
  });
  return replyNumbers(reply, 'shards-due');
}
