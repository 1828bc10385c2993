/**
 * Blocking on a Cluster: wake keys lie in different slots, which no single pop may name. Each queue has a watcher, a connection with one pop
 * under way; beyond 32, queues share watchers in turns. A token that arrives between two waits is for the next, or goes back to Redis.
 */
import type { Cluster, Redis } from 'ioredis';
import type { BrokerContext } from './broker-context';
import { withDeadline } from './call-deadline';
import { addressOf, nodeOf, ownerOf } from './cluster-nodes';
import { duplicateOf } from './connection/fresh-connect';
import { closeOnRefusedSelect } from './connection-identity';
import { BLOCKING, GRACE_MS, type ServerWaiter } from './waiter';

const WATCHERS_MAX = 32;
const SHARED_TURN_MS = 200;
/** A token is kept for the next wait so long, while a claim is under way: longer, and another worker should have it. */
const KEEP_MS = 10;

interface Watcher {
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

export function createClusterWaiter(ctx: BrokerContext, cluster: Cluster): ServerWaiter {
  const watchers: Watcher[] = [];
  const watcherOf = new Map<string, Watcher>();
  /** Queues whose tokens came while no wait was under way. */
  const kept = new Set<string>();
  let keepTimer: NodeJS.Timeout | undefined;
  let waiting: Wait | null = null;
  let closed = false;

  const wakeKey = (queue: string) => ctx.keys.column(queue, 'wake');
  const discard = (watcher: Watcher) => {
    watcher.redis?.disconnect();
    watcher.redis = null;
  };

  function assign(queue: string): Watcher {
    let watcher = watcherOf.get(queue);
    if (watcher) return watcher;
    if (watchers.length < WATCHERS_MAX) {
      watcher = { queues: [], turn: 0, busy: false, failed: false, redis: null, address: '' };
      watchers.push(watcher);
    } else {
      // Rather one that is connected to the queue's node already, of these the one with the fewest queues.
      const owner = ownerOf(cluster, wakeKey(queue));
      const near = watchers.filter((one) => one.address === owner);
      watcher = (near.length > 0 ? near : watchers).reduce((a, b) =>
        b.queues.length < a.queues.length ? b : a,
      );
    }
    watcher.queues.push(queue);
    watcherOf.set(queue, watcher);
    return watcher;
  }

  function connect(watcher: Watcher, key: string): Redis {
    const node = nodeOf(cluster, key);
    if (!node) throw new Error('No node of the Cluster is known for this queue.');
    if (watcher.redis && watcher.address === addressOf(node)) return watcher.redis;
    discard(watcher);
    watcher.address = addressOf(node);
    watcher.redis = duplicateOf(node, {
      ...BLOCKING,
      lazyConnect: true,
      retryStrategy: null,
      readOnly: false,
    });
    watcher.redis.on('error', () => undefined);
    closeOnRefusedSelect(watcher.redis);
    return watcher.redis;
  }

  async function popOnce(watcher: Watcher, queue: string, timeoutMs: number): Promise<boolean> {
    const key = wakeKey(queue);
    const blocked = connect(watcher, key).bzpopmin(key, Math.max(0.01, timeoutMs / 1_000));
    return (await withDeadline(blocked, timeoutMs + GRACE_MS)) !== null;
  }

  /** Pops for the wait under way, and the next, until no wait is for any of its queues or its node fails. */
  async function run(watcher: Watcher): Promise<void> {
    watcher.busy = true;
    try {
      for (;;) {
        const { wanted, endsAtMs } = waiting ?? { wanted: new Set<string>(), endsAtMs: 0 };
        const leftMs = endsAtMs - performance.now();
        const own = watcher.queues.filter((queue) => wanted.has(queue));
        const queue = own[watcher.turn++ % own.length];
        if (closed || queue === undefined || leftMs <= 0) return;
        if (await popOnce(watcher, queue, own.length > 1 ? Math.min(leftMs, SHARED_TURN_MS) : leftMs))
          deliver(queue);
      }
    } catch {
      if (closed) return;
      // The node is away, or the slot has moved. The caller's own calls will say so; here it only means: no wake-up.
      discard(watcher);
      watcher.failed = true;
      if (cluster.status === 'ready') cluster.refreshSlotsCache();
      // Other watchers still watch theirs. With none left, waiting on would only hide that Redis is away.
      const { wanted = new Set<string>() } = waiting ?? {};
      if ([...wanted].every((queue) => watcherOf.get(queue)?.failed)) waiting?.finish(null);
    } finally {
      watcher.busy = false;
    }
  }

  function deliver(queue: string): void {
    if (waiting?.wanted.has(queue)) {
      waiting.finish(queue);
      return;
    }
    kept.add(queue);
    keepTimer ??= setTimeout(giveBack, KEEP_MS);
  }

  function giveBack(): void {
    clearTimeout(keepTimer);
    keepTimer = undefined;
    for (const queue of kept) {
      kept.delete(queue);
      ctx
        .plain((redis) => redis.zadd(wakeKey(queue), 0, '1'))
        // For the next wait after all.
        .catch(() => kept.add(queue));
    }
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
        for (const watcher of used) watcher.failed = false;
        for (const watcher of used) if (!watcher.busy) void run(watcher);
      });
    },
    takeOthers: (queues) => (kept.size === 0 ? [] : queues.filter((queue) => kept.delete(queue))),
    interrupt: () => waiting?.finish(null),
    close() {
      closed = true;
      waiting?.finish(null);
      giveBack();
      for (const watcher of watchers) discard(watcher);
    },
  };
}
