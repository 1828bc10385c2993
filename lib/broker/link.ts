/** Whether Redis is there and fit for jobs: what every call asks first, and pays nothing for while all is well. */
import type { Cluster, Redis } from 'ioredis';
import { RedriveError } from '@/lib/contract/errors';
import { whyUnreachable } from './cluster';
import { COMMAND_TIMEOUT_MS } from './connection';
import { withDeadline } from './deadline';
import { translate, unavailable } from './redis-errors';
import { checkServer, isCluster, type ServerFacts } from './server-check';

export interface Link {
  /** Null: go ahead. Otherwise what to wait for. @throws RedriveError REDIS_UNAVAILABLE when it is known to be away */
  pending(): Promise<ServerFacts> | null;
  /** Connects if need be and tells what was found. @throws RedriveError REDIS_UNSAFE | REDIS_UNAVAILABLE */
  ready(): Promise<ServerFacts>;
  close(): void;
}

const REVIVE_AFTER_MS = 500;

/** @param owned whether we opened the connection: then it is also ours to bring back from the dead, and to close */
export function createLink(redis: Redis | Cluster, allowEviction: boolean, owned: boolean): Link {
  const known = new WeakMap<Redis, ServerFacts>();
  let facts: ServerFacts | null = null;
  let checking: Promise<ServerFacts> | null = null;
  // Between a lost connection and the next ready one, fail at once instead of queueing what would run at some later time.
  let down = false;
  let lastWords = '';
  let lastNode: Redis | undefined;
  let asking: Promise<void> = Promise.resolve();
  let closed = false;
  let reviving: NodeJS.Timeout | undefined;

  const forget = () => {
    facts = null;
    checking = null;
  };
  redis.on('error', (error: Error & { lastNodeError?: Error }) => {
    const { lastNodeError } = error;
    lastWords = lastNodeError ? `${error.message} Last error: ${lastNodeError.message}` : error.message;
    // Looking for a Sentinel goes on without an event of its own: this is its only word.
    if (error.message.includes('sentinels are unreachable')) down = true;
    if (lastNode && lastNodeError?.message === 'Connection is closed.')
      asking = whyUnreachable(lastNode).then((why) => {
        if (why) lastWords = `${error.message} Last error: ${why}`;
      });
  });
  redis.on('ready', () => {
    down = false;
    lastWords = '';
  });
  redis.on('close', () => {
    down = true;
    // Another server may answer after the reconnect: check again.
    forget();
  });
  redis.on('end', () => {
    // A failover announced at the wrong moment ends ioredis's search for the master for good. Ours is not over.
    if (!owned || closed) return;
    reviving = setTimeout(() => void redis.connect().catch(() => undefined), REVIVE_AFTER_MS);
  });
  if (isCluster(redis)) {
    redis.on('node error', (error: Error) => {
      lastWords = error.message;
    });
    // A node that is new or was gone is asked in the background, so that one which is silent delays nobody.
    redis.on('+node', (node: Redis) => {
      lastNode = node;
      if (!facts) return;
      checkServer(redis, allowEviction, known).catch((error: unknown) => {
        if (error instanceof RedriveError) forget();
      });
    });
  }

  // Connected and not ready: it answers, but is still reading its data. There is no event for that.
  const away = () => unavailable(closed ? '' : redis.status === 'connect' ? 'LOADING' : lastWords);
  const connected = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => () => {
        clearTimeout(timer);
        for (const [event, listener] of listeners) redis.off(event, listener);
        outcome();
      };
      const fail = settle(() => void asking.then(() => reject(away())));
      const failIfDown = () => down && fail();
      const listeners = [
        ['ready', settle(resolve)],
        ['close', fail],
        ['end', fail],
        ['error', failIfDown],
      ] as const;
      const timer = setTimeout(fail, COMMAND_TIMEOUT_MS);
      for (const [event, listener] of listeners) redis.on(event, listener);
      if (redis.status === 'wait') redis.connect().catch(() => undefined);
    });
  const check = async (): Promise<ServerFacts> => {
    try {
      if (redis.status !== 'ready') await connected();
      const found = await withDeadline(checkServer(redis, allowEviction, known), COMMAND_TIMEOUT_MS);
      facts = found;
      return found;
    } catch (error) {
      checking = null;
      throw translate(error);
    }
  };
  const refuseWhenDown = () => {
    if (redis.status === 'ready') return;
    if (
      down ||
      closed ||
      redis.status === 'end' ||
      redis.status === 'close' ||
      redis.status === 'reconnecting'
    )
      throw away();
  };
  const pending = () => {
    refuseWhenDown();
    if (facts && redis.status === 'ready') return null;
    checking ??= check();
    return checking;
  };
  return {
    pending,
    ready: async () => {
      const wait = pending();
      return wait ?? (facts as ServerFacts);
    },
    close() {
      closed = true;
      clearTimeout(reviving);
      if (owned) redis.disconnect();
    },
  };
}
