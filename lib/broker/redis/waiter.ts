/** Blocking until a queue has work: an idle worker neither polls nor sleeps past a job. */
import type { Redis } from 'ioredis';
import type { BrokerContext } from './broker-context';
import { duplicateOf } from './connection/fresh-connect';
import { closeOnRefusedSelect } from './connection-identity';

/** How much later than its own timeout a blocking call may answer before the connection is taken for dead. */
export const GRACE_MS = 2_000;

/** Sends a call on the connection that waits: Redis runs it in the moment the wait ends. Without it where that cannot be. */
export type CallBehindWait = (redis: Redis) => void;

export interface Waiter {
  /**
   * Resolves with the queue that woke us, or null when `timeoutMs` passed, the waiter was interrupted, or Redis is away.
   * @param behind called at most once, and only for a single queue of one shard outside of a Cluster
   */
  wait(queues: readonly string[], timeoutMs: number, behind?: CallBehindWait): Promise<string | null>;
  /** Ends a wait that is under way. */
  interrupt(): void;
  close(): void;
}
/** Of one server or Cluster; queues are physical names. */
export interface ServerWaiter extends Waiter {
  /** Queues that woke us besides the one that ended the wait. */
  takeOthers(queues: readonly string[]): readonly string[];
}

/** No commandTimeout on such a connection: the deadline is ours, because a blocking call is meant to be slow. */
export const BLOCKING = {
  commandTimeout: undefined,
  socketTimeout: undefined,
  blockingTimeout: undefined,
  maxRetriesPerRequest: 0,
} as const;

/** Pops on a connection of its own. One that stays silent beyond its timeout is replaced, so no wait hangs in a dead network. */
export function createServerWaiter(ctx: BrokerContext, main: Redis): ServerWaiter {
  let redis: Redis | null = null;
  /** Redis takes the first key with a token: each queue's is first in turn. */
  let turn = 0;
  let closed = false;
  /** Ends the wait under way without a wake-up. */
  let giveUp: () => void = () => undefined;
  const connection = (): Redis => {
    if (!redis) {
      redis = duplicateOf(main, BLOCKING);
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
    wait(queues, timeoutMs, behind) {
      if (closed || queues.length === 0) return Promise.resolve(null);
      return new Promise((resolve) => {
        const first = turn++ % queues.length;
        const inTurn = first === 0 ? queues : [...queues.slice(first), ...queues.slice(0, first)];
        const keys = inTurn.map((queue) => ctx.keys.column(queue, 'wake'));
        let isOver = false;
        const end = (queue: string | null) => {
          isOver = true;
          clearTimeout(timer);
          resolve(queue);
        };
        // Interrupted, silent, or Redis is away. The caller's own calls will say so; here it only means: no wake-up.
        giveUp = () => {
          if (isOver) return;
          discard();
          end(null);
        };
        const timer = setTimeout(giveUp, timeoutMs + GRACE_MS);
        const blocked = connection();
        blocked.bzpopmin(...keys, Math.max(0.01, timeoutMs / 1_000)).then((reply) => {
          if (!isOver) end(reply ? (inTurn[keys.indexOf(reply[0])] ?? null) : null);
        }, giveUp);
        if (queues.length === 1) behind?.(blocked);
      });
    },
    // One pop takes one token.
    takeOthers: () => [],
    interrupt: () => giveUp(),
    close() {
      closed = true;
      giveUp();
      discard();
    },
  };
}
