/** What every verb works with: a connection, the keys, and a way to run scripts on a checked server. */
import type { Redis } from 'ioredis';
import { parseOrThrow, RedriveError } from '@/lib/contract/errors';
import { queueNameSchema } from '@/lib/contract/names';
import { checkServer, openRedis } from './connection';
import { createKeys, type Keys } from './keys';
import type { ScriptName } from './lua.generated';
import { type Arg, evalScript, type RunOptions, scriptKeys, translate } from './script';

export interface BrokerOptions {
  /** A connection string, or … */
  url?: string;
  /** … an ioredis connection the caller owns and closes. */
  redis?: Redis;
  /** First part of every key. Default `rd`. */
  prefix?: string;
  /** Accept a Redis that deletes keys when memory is full. Jobs can then vanish. */
  allowEviction?: boolean;
  /** Tests only: the clock scripts use instead of Redis's, in ms. */
  clock?: () => number;
}

export interface BrokerContext {
  readonly redis: Redis;
  readonly keys: Keys;
  readonly clock: (() => number) | undefined;
  readonly knownQueues: Map<string, number>;
  readonly ownsRedis: boolean;
  /** Every name passes here before it becomes part of a key or of the registry. @throws RedriveError VALIDATION */
  checkQueue(queue: string): void;
  /** Checks the server once a connection. @throws RedriveError REDIS_UNSAFE | REDIS_UNAVAILABLE */
  ready(): Promise<{ version: string }>;
  run(script: ScriptName, queue: string, args: Arg[], options?: RunOptions): Promise<unknown>;
  runBuffer(script: ScriptName, queue: string, args: Arg[]): Promise<unknown>;
  /** A plain command or pipeline, with the same check, deadline and errors as the scripts. */
  plain<T>(call: (redis: Redis) => Promise<T>): Promise<T>;
}

export function createContext(options: BrokerOptions): BrokerContext {
  if (!options.redis && !options.url)
    throw new RedriveError(
      'VALIDATION',
      'createBroker needs url (such as redis://127.0.0.1:6379) or redis (an ioredis connection).',
    );
  const redis = options.redis ?? openRedis(options.url ?? '');
  const unchecked = createKeys(parseOrThrow(queueNameSchema, options.prefix ?? 'rd', 'prefix'));
  const knownGood = new Set<string>();
  const checkQueue = (queue: string) => {
    if (knownGood.has(queue)) return;
    parseOrThrow(queueNameSchema, queue, 'queue');
    if (knownGood.size < 10_000) knownGood.add(queue);
  };
  const keys: Keys = {
    ...unchecked,
    column: (queue, column) => {
      checkQueue(queue);
      return unchecked.column(queue, column);
    },
  };
  let checked: Promise<{ version: string }> | null = null;
  // Between a lost connection and the next ready one, fail at once instead of queueing what would run at some later time.
  let down = false;
  redis.on('ready', () => {
    down = false;
  });
  redis.on('close', () => {
    down = true;
    // Another server may answer after the reconnect: check again.
    checked = null;
  });
  const refuseWhenDown = () => {
    if (down || redis.status === 'end')
      throw new RedriveError(
        'REDIS_UNAVAILABLE',
        'Redis cannot be reached. Nothing was changed; try again when it is back.',
      );
  };
  const ready = (): Promise<{ version: string }> => {
    checked ??= checkServer(redis, options.allowEviction ?? false).catch((error: unknown) => {
      checked = null;
      throw translate(error);
    });
    return checked;
  };
  const clock = () => (options.clock ? String(options.clock()) : '');
  const run = async (
    script: ScriptName,
    queue: string,
    args: Arg[],
    options: RunOptions,
    asBuffer: boolean,
  ) => {
    checkQueue(queue);
    refuseWhenDown();
    await ready();
    return evalScript(redis, script, scriptKeys(keys, script, queue, options), [clock(), ...args], asBuffer);
  };
  return {
    redis,
    keys,
    clock: options.clock,
    knownQueues: new Map(),
    ownsRedis: !options.redis,
    checkQueue,
    ready: async () => {
      refuseWhenDown();
      return ready();
    },
    run: (script, queue, args, options = {}) => run(script, queue, args, options, false),
    runBuffer: (script, queue, args) => run(script, queue, args, {}, true),
    plain: async (call) => {
      refuseWhenDown();
      await ready();
      try {
        return await call(redis);
      } catch (error) {
        throw translate(error);
      }
    },
  };
}
