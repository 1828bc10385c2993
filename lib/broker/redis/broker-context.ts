/** What every verb works with: a connection, the keys, and a way to run scripts on a checked server. */

import { brokerOptionsSchema } from '@/lib/contract/jobs/claim-options';
import { queueNameSchema } from '@/lib/contract/name-schemas';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import type { ScriptName } from '../lua.generated';
import { refuseConnectionOptions } from './connection/connection-options';
import type { CredentialsSource } from './connection/redis-secrets';
import { listen } from './connection/shared-listeners';
import type { TlsFiles } from './connection/tls-files';
import { watchConnection } from './connection-health';
import { createDataset, type Dataset } from './dataset/dataset';
import { openRedis, type RedisConnection } from './redis-connection';
import { toRedriveError } from './redis-errors';
import { createKeys, type Keys } from './redis-keys';
import { type Arg, evalScript, type RunOptions, scriptKeys, withCommandDeadline } from './script-runner';

export interface BrokerOptions {
  /**
   * An address: `redis://`, `redis+sentinel://h1:26379,h2:26379/master`, `redis+cluster://h1,h2` (with TLS `rediss…`), or the path of a
   * unix socket. Or …
   */
  url?: string;
  /** … a file that holds the address. User and password are read anew at each connect; another host needs a restart. Or … */
  urlFile?: string;
  /** … an ioredis connection, to a server or a Cluster, that the caller owns and closes. Options of it that jobs would suffer from are refused by name. */
  redis?: RedisConnection;
  /** Files for addresses with TLS, read anew at each connect. */
  tls?: TlsFiles;
  /** User and password, instead of those in the address: a function is called before each connect, and has 4 s. */
  credentials?: CredentialsSource;
  /** First part of every key. Default `rd`. */
  prefix?: string;
  /** What the connections opened from `url` are called in Redis (CLIENT LIST). */
  connectionName?: string;
  /** Accept a Redis that deletes keys when memory is full. Jobs can then vanish, and marks of `once`, whose work then runs twice. */
  allowEviction?: boolean;
  /** Tests only: the clock scripts use instead of Redis's, in ms. */
  clock?: () => number;
}

export interface BrokerContext {
  readonly redis: RedisConnection;
  readonly keys: Keys;
  readonly clock: (() => number) | undefined;
  /** Queue → when it was entered in the registry last, by this process's clock; 0: perhaps not in this one. */
  readonly knownQueues: Map<string, number>;
  readonly dataset: Dataset;
  /** Every name passes here before it becomes part of a key: a queue's, or that of a shard (`orders#3`). @throws RedriveError VALIDATION */
  checkQueue(queue: string): void;
  /** Checks the server once a connection. @throws RedriveError REDIS_UNSAFE | DATA_NEWER | REDIS_UNAVAILABLE */
  ready(): Promise<{ version: string }>;
  /** What each call waits for is done, so that one on another connection may leave without it. */
  isChecked(): boolean;
  /** @param queue the physical name of a shard; null: all keys of the script are outside of queues */
  run(script: ScriptName, queue: string | null, args: Arg[], options?: RunOptions): Promise<unknown>;
  runBuffer(script: ScriptName, queue: string, args: Arg[]): Promise<unknown>;
  /** Plain commands, with the check, deadline and errors of scripts. On a Cluster: keys of one tag, and no pipelines; see `evalMany`. */
  plain<T>(call: (redis: RedisConnection) => Promise<T>): Promise<T>;
  /** Closes the connection if the broker opened it; calls from now on are refused. */
  close(): void;
  isClosed(): boolean;
}

const SHARD_NAME = /^(.*)#([1-9]|[1-5]\d|6[0-3])$/s;

/** Runs a script when its turn comes. */
type TakeTurn = <T>(script: ScriptName, call: () => Promise<T>) => Promise<T>;

/**
 * @param takeTurn of scans, for a console that many users read with; left out: scripts run at once
 * @throws RedriveError VALIDATION naming every option that is wrong or unknown
 */
export function createContext(
  options: BrokerOptions,
  takeTurn: TakeTurn = (_, call) => call(),
): BrokerContext {
  const { prefix, allowEviction } = parseOrThrow(brokerOptionsSchema, options, 'options');
  const redis =
    options.redis ??
    openRedis(options.url, {
      urlFile: options.urlFile,
      tls: options.tls,
      credentials: options.credentials,
      connectionName: options.connectionName,
    });
  if (options.redis) refuseConnectionOptions(options.redis);
  const unchecked = createKeys(prefix);
  const knownGood = new Set<string>();
  const checkQueue = (queue: string) => {
    if (knownGood.has(queue)) return;
    parseOrThrow(queueNameSchema, queue.match(SHARD_NAME)?.[1] ?? queue, 'queue');
    if (knownGood.size < 10_000) knownGood.add(queue);
  };
  const keys: Keys = {
    ...unchecked,
    column: (queue, column) => {
      checkQueue(queue);
      return unchecked.column(queue, column);
    },
  };
  const formatsKey = keys.global('datasetFormats');
  const link = watchConnection(redis, allowEviction, !options.redis, formatsKey);
  const clock = () => (options.clock ? String(options.clock()) : '');
  const run = async (
    script: ScriptName,
    queue: string | null,
    args: Arg[],
    options: RunOptions,
    asBuffer: boolean,
  ) => {
    if (queue !== null) checkQueue(queue);
    const pending = link.pending();
    if (pending !== null) await pending;
    const call = () =>
      evalScript(redis, script, scriptKeys(keys, script, queue, options), [clock(), ...args], asBuffer);
    return takeTurn(script, call);
  };
  const plain = async <T>(call: (redis: RedisConnection) => Promise<T>): Promise<T> => {
    const pending = link.pending();
    if (pending !== null) await pending;
    try {
      return await withCommandDeadline(redis, call(redis));
    } catch (error) {
      throw toRedriveError(error);
    }
  };
  const knownQueues = new Map<string, number>();
  const dataset = createDataset({
    plain,
    key: keys.global('dataset'),
    formatsKey,
    registryKey: keys.global('queues'),
    onNewer: link.recheck,
  });
  const forgetQueues = () => {
    for (const queue of knownQueues.keys()) knownQueues.set(queue, Number.NEGATIVE_INFINITY);
  };
  dataset.onLoss(forgetQueues);
  const stops = [listen(redis, 'close', forgetQueues), listen(redis, 'ready', dataset.reconnected)];
  return {
    redis,
    keys,
    clock: options.clock,
    knownQueues,
    dataset,
    checkQueue,
    ready: link.ready,
    isChecked: link.isChecked,
    run: (script, queue, args, options = {}) => run(script, queue, args, options, false),
    runBuffer: (script, queue, args) => run(script, queue, args, {}, true),
    plain,
    close() {
      dataset.close();
      link.close();
      for (const stop of stops) stop();
    },
    isClosed: link.isClosed,
  };
}
