/** Blocking until a queue has work: an idle worker neither polls nor sleeps past a job. */
import type { Redis } from 'ioredis';
import type { BrokerContext } from './context';

/** How much later than its own timeout a blocking call may answer before the connection is taken for dead. */
const GRACE_MS = 2_000;

export interface Waiter {
  /** Resolves with the queue that woke us, or null when `timeoutMs` passed, the waiter was interrupted, or Redis is away. */
  wait(queues: readonly string[], timeoutMs: number): Promise<string | null>;
  /** Ends a wait that is under way. */
  interrupt(): void;
  close(): void;
}

/**
 * A blocking pop needs a connection of its own. One that stays silent beyond its timeout (a black-holed network sends no
 * error) is thrown away and replaced: nothing waits for ever.
 */
export function createWaiter(ctx: BrokerContext): Waiter {
  let redis: Redis | null = null;
  let closed = false;
  let wake: () => void = () => undefined;
  const connection = (): Redis => {
    if (!redis) {
      // No commandTimeout here: the deadline is ours, because a blocking call is meant to be slow.
      redis = ctx.redis.duplicate({ commandTimeout: undefined, maxRetriesPerRequest: 0 });
      redis.on('error', () => undefined);
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
