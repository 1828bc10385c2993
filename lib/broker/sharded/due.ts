/**
 * Maintenance of very many queues: a cheap look says in which shards a lease expired or something else fell due, and only those are
 * maintained. Any number of consoles may do the same at the same time: every step is a script that does what is left to do.
 */
import { pipelined } from '../pipelines';
import { evalScript } from '../script';
import { isCluster } from '../server-check';
import type { ShardedContext } from '../shards';
import { maintain } from '../verbs/maintain';
import { reclaim } from '../verbs/reclaim';
import { inLanes } from './fan-out';
import { type Place, placesOf } from './places';

/** Columns whose heads fall due by time, in the order due.lua declares. */
const COLUMNS = ['inflight', 'scheduled', 'retry', 'pauses'] as const;
const SHARDS_PER_LOOK = 500;
/** Leases are looked at each time, other columns every second time: jobs that fall due have no promise to keep, and many queues have some. */
const LOOKS_PER_WHOLE_LOOK = 2;
const SHARDS_AT_ONCE = 16;
/** Leases of one shard taken back in one turn. */
const LEASES_PER_TURN = 1_000;
const [LEASE, OTHER] = [1, 2];

export interface DueResult {
  readonly shards: number;
  /** Leases taken back, and jobs that became ready because their time had come. */
  readonly reclaimed: number;
  readonly promoted: number;
  /** Shards that could not be looked at or maintained: left for the next turn. */
  readonly failed: readonly { readonly place: Place; readonly error: unknown }[];
}

interface Due {
  readonly place: Place;
  readonly what: number;
}

/** So many shards, and the names of their keys in the order that due.lua takes. */
interface Part {
  readonly places: readonly Place[];
  readonly keys: readonly string[];
  /** Of the first column alone. */
  readonly leaseKeys: readonly string[];
}

/** Looks again and again without making thousands of key names each time. */
export class DueLook {
  private places: readonly Place[] = [];
  private parts: readonly Part[] = [];
  private looks = 0;
  private madeOf: { queues: readonly string[]; sharding: object } | null = null;

  constructor(private readonly ctx: ShardedContext) {}

  /**
   * Takes back the leases that expired in any of these queues, then does the maintenance of those in which something else fell due;
   * outside of a Cluster the latter every second time.
   *
   * @param isSkipped shards to leave alone this time, such as those that failed a moment ago
   */
  async maintain(
    queues: readonly string[],
    isSkipped: (place: Place) => boolean = () => false,
  ): Promise<DueResult> {
    const { ctx } = this;
    await this.prepare(queues);
    const { places } = this;
    const { due, failed } = isCluster(ctx.redis) ? await this.lookByNode(places) : await this.look();
    const wanted = due.filter(({ place }) => !isSkipped(place));
    let [reclaimed, promoted] = [0, 0];
    const each = (some: readonly Due[], work: (name: string) => Promise<void>) =>
      inLanes(some, SHARDS_AT_ONCE, async ({ place }) => {
        await work(place.name).catch((error: unknown) => failed.push({ place, error }));
      });
    // Leases first: jobs of a dead worker wait for nothing else.
    await each(
      wanted.filter(({ what }) => what & LEASE),
      async (name) => {
        const { returned, died } = await reclaim(ctx, name, LEASES_PER_TURN);
        reclaimed += returned + died;
      },
    );
    await each(
      wanted.filter(({ what }) => what & OTHER),
      async (name) => {
        const done = await maintain(ctx, name);
        promoted += done.promoted;
        reclaimed += done.reclaimed;
      },
    );
    return { shards: places.length, reclaimed, promoted, failed };
  }

  /** The registry and the record of shardings answer with the same objects as long as nothing changed. */
  private async prepare(queues: readonly string[]): Promise<void> {
    const { ctx } = this;
    if (this.madeOf?.queues === queues && this.madeOf.sharding === ctx.shards.record()) return;
    const places = await placesOf(ctx, queues);
    const parts: Part[] = [];
    for (let i = 0; i < places.length; i += SHARDS_PER_LOOK) {
      const some = places.slice(i, i + SHARDS_PER_LOOK);
      const keys = some.flatMap(({ name }) => COLUMNS.map((column) => ctx.keys.column(name, column)));
      const leaseKeys = some.map(({ name }) => ctx.keys.column(name, COLUMNS[0]));
      parts.push({ places: some, keys, leaseKeys });
    }
    this.places = places;
    this.parts = parts;
    this.madeOf = { queues, sharding: ctx.shards.record() };
  }

  private async look(): Promise<{ due: Due[]; failed: DueResult['failed'][number][] }> {
    const { ctx } = this;
    await ctx.ready();
    const leasesOnly = this.looks++ % LOOKS_PER_WHOLE_LOOK > 0;
    const due: Due[] = [];
    const failed: DueResult['failed'][number][] = [];
    for (const { places, keys, leaseKeys } of this.parts) {
      try {
        for (const number of await askDue(ctx, leasesOnly ? leaseKeys : keys, leasesOnly)) {
          const place = places[Math.floor(number / 4)];
          if (place) due.push({ place, what: number % 4 });
        }
      } catch (error) {
        for (const place of places) failed.push({ place, error });
      }
    }
    return { due, failed };
  }

  /** A script may not name keys of several slots: one command a shard says whether any key is there, and only those are looked at. */
  private async lookByNode(
    places: readonly Place[],
  ): Promise<{ due: Due[]; failed: DueResult['failed'][number][] }> {
    const { ctx } = this;
    const keysOf = (name: string) => COLUMNS.map((column) => ctx.keys.column(name, column));
    const due: Due[] = [];
    const failed: DueResult['failed'][number][] = [];
    const firsts = places.map(({ name }) => ctx.keys.column(name, COLUMNS[0]));
    const counts = await pipelined(ctx, firsts, (pipeline, key) => {
      pipeline.exists(...COLUMNS.map((column) => key.slice(0, -COLUMNS[0].length) + column));
    });
    const some = places.filter((place, i) => {
      const count = counts[i];
      if (count instanceof Error) failed.push({ place, error: count });
      return typeof count === 'number' && count > 0;
    });
    await inLanes(some, SHARDS_AT_ONCE, async (place) => {
      try {
        for (const number of await askDue(ctx, keysOf(place.name))) due.push({ place, what: number % 4 });
      } catch (error) {
        failed.push({ place, error });
      }
    });
    return { due, failed };
  }
}

/** What due.lua replies: once more with the type of each key, where one of them is of another type than it should be. */
async function askDue(ctx: ShardedContext, keys: readonly string[], leasesOnly = false): Promise<number[]> {
  const clock = ctx.clock ? String(ctx.clock()) : '';
  const ask = (careful: string) =>
    evalScript(ctx.redis, 'due', [...keys], [clock, careful, leasesOnly ? 1 : 0], false);
  const reply = await ask('').catch((error: unknown) => {
    if (!String(error).includes('WRONGTYPE')) throw error;
    return ask('1');
  });
  return reply as number[];
}
