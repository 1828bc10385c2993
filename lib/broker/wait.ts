/** Blocking until a queue has work: an idle worker neither polls nor sleeps past a job. */
import type { Redis } from 'ioredis';
import { BLOCKING, GRACE_MS, type Waiter } from './blocking';
import { closeOnRefusedSelect } from './connection-identity';
import type { BrokerContext } from './context';
import { isCluster } from './server-check';
import { createClusterWaiter } from './wait-cluster';

export type { Waiter } from './blocking';

export const createWaiter = (ctx: BrokerContext): Waiter => {
  const { redis } = ctx;
  return isCluster(redis) ? createClusterWaiter(ctx, redis) : createServerWaiter(ctx, redis);
};

/**
 * A blocking pop needs a connection of its own. One that stays silent beyond its timeout (a black-holed network sends no
 * error) is thrown away and replaced, never repaired: nothing waits for ever, and nothing is stuck in reconnecting.
 */
function createServerWaiter(ctx: BrokerContext, main: Redis): Waiter {
  let redis: Redis | null = null;
  let closed = false;
  let wake: () => void = () => undefined;
  const connection = (): Redis => {
    if (!redis) {
      redis = main.duplicate(BLOCKING);
      redis.on('error', () => undefined);
      closeOnRefusedSelect(redis);
    }
    return redis;
  };
  const discard = () => {
    redis?.disconnect();
    redis = null;
  };
  return {
    async wait(queues, timeoutMs) {
      if (closed || queues.length === 0) return null;
      const keys = queues.map((queue) => ctx.keys.column(queue, 'wake'));
      const seconds = Math.max(0.01, timeoutMs / 1_000);
      const blocked = Promise.resolve()
        .then(() => connection().bzpopmin(...keys, seconds))
        .then((reply) => (reply ? (queues[keys.indexOf(reply[0])] ?? null) : null));
      let timer: NodeJS.Timeout | undefined;
      const deadline = new Promise<'late' | 'interrupted'>((resolve) => {
        timer = setTimeout(() => resolve('late'), timeoutMs + GRACE_MS);
        wake = () => resolve('interrupted');
      });
      try {
        const outcome = await Promise.race([blocked, deadline]);
        if (outcome === 'late' || outcome === 'interrupted') {
          discard();
          return null;
        }
        return outcome;
      } catch {
        // Redis is away, or refused. The caller's own calls will say so; here it only means: no wake-up.
        discard();
        return null;
      } finally {
        clearTimeout(timer);
        wake = () => undefined;
        blocked.catch(() => undefined);
      }
    },
    interrupt: () => wake(),
    close() {
      closed = true;
      wake();
      discard();
    },
  };
}
