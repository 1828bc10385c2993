/**
 * Maintenance of very many queues: a cheap look finds the shards in which a lease expired or something else fell due. Any number of
 * consoles may run it at the same time, since every script only does the work that is left.
 */
import type { Column } from '@/lib/broker/redis/redis-keys';
import { runPipelines } from '@/lib/broker/redis/run-pipelines';
import { replyNumbers } from '@/lib/broker/redis/script-reply';
import { isCluster } from '@/lib/broker/redis/server-check';
import { askShards, forEachLimited } from '@/lib/broker/shards/fan-out';
import { type ShardRef, shardRefsOf } from '@/lib/broker/shards/shard-ref';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import { maintainShard, reclaimInShard } from './maintain-queue';

/** In the order that shards-due.lua declares. */
const ALL_COLUMNS = ['inflight', 'scheduled', 'retry', 'pauses', 'throttled', 'ready', 'wake'] as const;
/** The columns with a first row that falls due by time, in queues that may have no worker to wake. */
const TIMED_COLUMNS = ALL_COLUMNS.slice(0, 4);
const LEASE_COLUMNS = ALL_COLUMNS.slice(0, 1);
const MINUTE_COLUMNS = ['limits', 'events'] as const;
/** A minute is in the history within seconds after it ended; on a Cluster, where each shard is asked alone, a little later. */
const [MINUTES_EVERY_MS, CLUSTER_MINUTES_EVERY_MS] = [5_000, 20_000];
const SHARDS_PER_LOOK = 500;
/** Leases are looked at each time, other columns every second time: jobs that fall due have no promise to keep, and many queues have some. */
const LOOKS_PER_WHOLE_LOOK = 2;
const SHARDS_AT_ONCE = 16;
/** Leases of one shard taken back in one turn. */
const LEASES_PER_TURN = 1_000;
const [LEASE, OTHER] = [1, 2];

export interface DueMaintenanceOptions {
  /** Shards to leave alone this time, such as those that just failed. */
  readonly isSkipped?: (shard: ShardRef) => boolean;
  /**
   * For workers, which wait for these queues: each time everything is looked at, lost wake tokens and throttled jobs as well, and what falls
   * due within so long counts as due. Left out: only leases each time.
   */
  readonly aheadMs?: number;
}

export interface DueMaintenanceResult {
  readonly shards: number;
  /** Leases taken back, and jobs that became ready because their time had come. */
  readonly reclaimed: number;
  readonly promoted: number;
  /** When the next job of the maintained shards falls due (Redis clock); null: no shard names one. */
  readonly nextAt: number | null;
  /** Shards that could not be looked at or maintained: left for the next turn. */
  readonly failed: readonly { readonly shard: ShardRef; readonly error: unknown }[];
}

interface Look {
  readonly due: { readonly shard: ShardRef; readonly what: number }[];
  readonly failed: DueMaintenanceResult['failed'][number][];
}

/** So many shards, looked at in one script. */
interface Part {
  readonly shards: readonly ShardRef[];
  /** By columns: the names of their keys, made once. */
  readonly keys: Map<readonly Column[], readonly string[]>;
}

/** The shards of a list of queues, as long as their shardings stay. */
interface ShardList {
  readonly sharding: object;
  readonly shards: readonly ShardRef[];
  readonly parts: readonly Part[];
  looks: number;
  /** When shards were asked for minutes that are not in their history. */
  minutesAtMs: number;
}

/** Looks again and again without making thousands of key names each time. */
export class DueMaintenance {
  private readonly lists = new WeakMap<readonly string[], ShardList>();

  constructor(private readonly ctx: ShardedContext) {}

  /**
   * Takes back expired leases of these queues, then maintains those in which something else fell due; outside of a Cluster every second time.
   * @param queues the same array as long as nothing changed
   */
  async maintain(
    queues: readonly string[],
    { isSkipped, aheadMs }: DueMaintenanceOptions = {},
  ): Promise<DueMaintenanceResult> {
    const { ctx } = this;
    const list = await this.listOf(queues);
    const { shards } = list;
    const { due, failed } = isCluster(ctx.redis)
      ? await this.lookByNode(shards, aheadMs)
      : await this.look(list, aheadMs);
    const known = new Set(due.filter(({ what }) => what & OTHER).map(({ shard }) => shard));
    const minutes = (await this.shardsWithMinutes(list)).filter((shard) => !known.has(shard));
    const all = [...due, ...minutes.map((shard) => ({ shard, what: OTHER }))];
    const wanted = all.filter(({ shard }) => !isSkipped?.(shard));
    let [reclaimed, promoted, nextAt] = [0, 0, Number.POSITIVE_INFINITY];
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
        nextAt = Math.min(nextAt, done.nextAt ?? nextAt);
      },
    );
    return {
      shards: shards.length,
      reclaimed,
      promoted,
      nextAt: Number.isFinite(nextAt) ? nextAt : null,
      failed,
    };
  }

  /** The registry and the record of shardings answer with the same objects as long as nothing changed. */
  private async listOf(queues: readonly string[]): Promise<ShardList> {
    const { ctx } = this;
    const known = this.lists.get(queues);
    if (known?.sharding === ctx.shards.record()) return known;
    const shards = await shardRefsOf(ctx, queues);
    const parts: Part[] = [];
    for (let i = 0; i < shards.length; i += SHARDS_PER_LOOK)
      parts.push({ shards: shards.slice(i, i + SHARDS_PER_LOOK), keys: new Map() });
    const list = {
      sharding: ctx.shards.record(),
      shards,
      parts,
      looks: known?.looks ?? 0,
      minutesAtMs: known?.minutesAtMs ?? Number.NEGATIVE_INFINITY,
    };
    this.lists.set(queues, list);
    return list;
  }

  private async look(list: ShardList, aheadMs?: number): Promise<Look> {
    const { ctx } = this;
    await ctx.ready();
    const isWhole = list.looks++ % LOOKS_PER_WHOLE_LOOK === 0;
    const columns = aheadMs !== undefined ? ALL_COLUMNS : isWhole ? TIMED_COLUMNS : LEASE_COLUMNS;
    const look: Look = { due: [], failed: [] };
    for (const { shards, keys: made } of list.parts) {
      const keys = made.get(columns) ?? keysOf(ctx, shards, columns);
      made.set(columns, keys);
      try {
        for (const number of await askDue(ctx, columns, keys, aheadMs)) {
          const shard = shards[Math.floor(number / 4)];
          if (shard) look.due.push({ shard, what: number % 4 });
        }
      } catch (error) {
        look.failed.push(...shards.map((shard) => ({ shard, error })));
      }
    }
    return look;
  }

  /** Shards with minutes that are not in their history. The next look asks a part again that did not answer. */
  private async shardsWithMinutes(list: ShardList): Promise<ShardRef[]> {
    const { ctx } = this;
    const onCluster = isCluster(ctx.redis);
    if (performance.now() - list.minutesAtMs < (onCluster ? CLUSTER_MINUTES_EVERY_MS : MINUTES_EVERY_MS))
      return [];
    list.minutesAtMs = performance.now();
    const ask = async (shards: readonly ShardRef[], keys: readonly string[]) => {
      const numbers = await askCarefully('minutes-due', (careful) =>
        ctx.run('minutes-due', null, [careful], { keys }),
      );
      return numbers.flatMap((number) => shards[number] ?? []);
    };
    const parts: readonly Part[] = onCluster
      ? list.shards.map((shard) => ({ shards: [shard], keys: new Map() }))
      : list.parts;
    const { answered } = await askShards(parts, onCluster ? SHARDS_AT_ONCE : 1, ({ shards, keys: made }) => {
      const keys = made.get(MINUTE_COLUMNS) ?? keysOf(ctx, shards, MINUTE_COLUMNS);
      made.set(MINUTE_COLUMNS, keys);
      return ask(shards, keys);
    });
    return answered.flatMap(({ value }) => value);
  }

  /** A script may not name keys of several slots: one command a shard first finds those with any key. */
  private async lookByNode(shards: readonly ShardRef[], aheadMs?: number): Promise<Look> {
    const { ctx } = this;
    const columns = aheadMs !== undefined ? ALL_COLUMNS : TIMED_COLUMNS;
    const firsts = shards.map(({ name }) => ctx.keys.column(name, 'inflight'));
    const counts = await runPipelines(ctx, firsts, (pipeline, key) => {
      pipeline.exists(...columns.map((column) => key.slice(0, -'inflight'.length) + column));
    });
    const unread = shards.flatMap((shard, i) =>
      counts[i] instanceof Error ? [{ shard, error: counts[i] }] : [],
    );
    const { answered, failed } = await askShards(
      shards.filter((_, i) => Number(counts[i]) > 0),
      SHARDS_AT_ONCE,
      (shard) => askDue(ctx, columns, keysOf(ctx, [shard], columns), aheadMs),
    );
    const due = answered.flatMap(({ shard, value }) => value.map((number) => ({ shard, what: number % 4 })));
    return { due, failed: [...unread, ...failed] };
  }
}

const keysOf = (ctx: ShardedContext, shards: readonly ShardRef[], columns: readonly Column[]) =>
  shards.flatMap(({ name }) => columns.map((column) => ctx.keys.column(name, column)));

async function askDue(
  ctx: ShardedContext,
  columns: readonly Column[],
  keys: readonly string[],
  aheadMs = 0,
): Promise<number[]> {
  const width = columns === ALL_COLUMNS ? '' : columns.length;
  return askCarefully('shards-due', (careful) =>
    ctx.run('shards-due', null, [careful, width, aheadMs], { keys }),
  );
}

/** The reply of a look: once more with the type of each key, where one has the wrong type. */
async function askCarefully(script: string, ask: (careful: string) => Promise<unknown>): Promise<number[]> {
  const reply = await ask('').catch((error: unknown) => {
    if (!String(error).includes('WRONGTYPE')) throw error;
    return ask('1');
  });
  return replyNumbers(reply, script);
}
