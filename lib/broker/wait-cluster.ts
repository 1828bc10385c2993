/**
 * Blocking on a Cluster: the wake keys of different queues live in different slots, which no single blocking pop may name. Each
 * queue has a lane, a connection of its own to its node with one pop under way; beyond 32 lanes, queues share them and are
 * watched in short turns. A pop outlives the wait it was made for; a token it brings when nobody waits here any more goes back, so
 * that another worker that is idle wakes, or our next wait finds it.
 */
import type { Cluster, Redis } from 'ioredis';
import { BLOCKING, GRACE_MS, type Waiter } from './blocking';
import { addressOf, nodeOf, ownerOf } from './cluster';
import { closeOnRefusedSelect } from './connection-identity';
import type { BrokerContext } from './context';
import { withDeadline } from './deadline';

const LANES_MAX = 32;
const SHARED_TURN_MS = 200;

interface Lane {
  readonly queues: string[];
  turn: number;
  busy: boolean;
  failed: boolean;
  redis: Redis | null;
  address: string;
}
interface Wait {
  readonly wanted: ReadonlySet<string>;
  readonly endsAtMs: number;
  finish(queue: string | null): void;
}

export function createClusterWaiter(ctx: BrokerContext, cluster: Cluster): Waiter {
  const lanes: Lane[] = [];
  const laneOf = new Map<string, Lane>();
  /** Tokens that came while nobody waited for them, and could not be given back. */
  const kept = new Set<string>();
  let waiting: Wait | null = null;
  let closed = false;

  const wakeKey = (queue: string) => ctx.keys.column(queue, 'wake');
  const discard = (lane: Lane) => {
    lane.redis?.disconnect();
    lane.redis = null;
  };

  function assign(queue: string): Lane {
    let lane = laneOf.get(queue);
    if (lane) return lane;
    if (lanes.length < LANES_MAX) {
      lane = { queues: [], turn: 0, busy: false, failed: false, redis: null, address: '' };
      lanes.push(lane);
    } else {
      // Rather one that is connected to the queue's node already, of these the one with the fewest queues.
      const owner = ownerOf(cluster, wakeKey(queue));
      const near = lanes.filter((one) => one.address === owner);
      lane = (near.length > 0 ? near : lanes).reduce((a, b) => (b.queues.length < a.queues.length ? b : a));
    }
    lane.queues.push(queue);
    laneOf.set(queue, lane);
    return lane;
  }

  /** The lane's connection, to the node that holds the key now. */
  function connect(lane: Lane, key: string): Redis {
    const node = nodeOf(cluster, key);
    if (!node) throw new Error('No node of the Cluster is known for this queue.');
    if (lane.redis && lane.address === addressOf(node)) return lane.redis;
    discard(lane);
    lane.address = addressOf(node);
    lane.redis = node.duplicate({ ...BLOCKING, lazyConnect: true, retryStrategy: null, readOnly: false });
    lane.redis.on('error', () => undefined);
    closeOnRefusedSelect(lane.redis);
    return lane.redis;
  }

  async function popOnce(lane: Lane, queue: string, timeoutMs: number): Promise<boolean> {
    const key = wakeKey(queue);
    const blocked = connect(lane, key).bzpopmin(key, Math.max(0.01, timeoutMs / 1_000));
    return (await withDeadline(blocked, timeoutMs + GRACE_MS)) !== null;
  }

  /** Pops for the wait under way, and the next, until nobody waits for any of its queues or its node fails. */
  async function run(lane: Lane): Promise<void> {
    lane.busy = true;
    try {
      for (;;) {
        const { wanted, endsAtMs } = waiting ?? { wanted: new Set<string>(), endsAtMs: 0 };
        const leftMs = endsAtMs - performance.now();
        const mine = lane.queues.filter((queue) => wanted.has(queue));
        const queue = mine[lane.turn++ % mine.length];
        if (closed || queue === undefined || leftMs <= 0) return;
        if (await popOnce(lane, queue, mine.length > 1 ? Math.min(leftMs, SHARED_TURN_MS) : leftMs))
          deliver(queue);
      }
    } catch {
      if (closed) return;
      // The node is away, or the slot has moved. The caller's own calls will say so; here it only means: no wake-up.
      discard(lane);
      lane.failed = true;
      if (cluster.status === 'ready') cluster.refreshSlotsCache();
      // Other lanes still watch theirs. With none left, waiting on would only hide that Redis is away.
      const { wanted = new Set<string>() } = waiting ?? {};
      if ([...wanted].every((queue) => laneOf.get(queue)?.failed)) waiting?.finish(null);
    } finally {
      lane.busy = false;
    }
  }

  function deliver(queue: string): void {
    if (waiting?.wanted.has(queue)) {
      waiting.finish(queue);
      return;
    }
    ctx
      .plain((redis) => redis.zadd(wakeKey(queue), 0, '1'))
      .catch(() => {
        kept.add(queue);
      });
  }

  return {
    async wait(queues, timeoutMs) {
      if (closed || queues.length === 0) return null;
      const ready = await ctx.ready().catch(() => null);
      if (!ready || closed) return null;
      for (const queue of queues) if (kept.delete(queue)) return queue;
      return new Promise((resolve) => {
        const finish = (queue: string | null) => {
          clearTimeout(timer);
          if (waiting === wait) waiting = null;
          resolve(queue);
        };
        const timer = setTimeout(finish, timeoutMs, null);
        const wait: Wait = { wanted: new Set(queues), endsAtMs: performance.now() + timeoutMs, finish };
        waiting = wait;
        const used = new Set(queues.map(assign));
        for (const lane of used) lane.failed = false;
        for (const lane of used) if (!lane.busy) void run(lane);
      });
    },
    interrupt: () => waiting?.finish(null),
    close() {
      closed = true;
      waiting?.finish(null);
      for (const lane of lanes) discard(lane);
    },
  };
}
