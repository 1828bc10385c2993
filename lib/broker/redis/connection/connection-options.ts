/** Options of a connection that the application brings: each works, or is refused by name before a call. */
import type { ClusterOptions, CommonRedisOptions } from 'ioredis';
import { RedriveError } from '@/lib/contract/redrive-error';
import type { RedisConnection } from '../redis-connection';
import { takesCommands } from '../scripts/script-command';
import { isCluster } from '../server-check';

type Option = keyof CommonRedisOptions | keyof ClusterOptions;
interface Refusal {
  readonly isRefused: (value: unknown, redis: RedisConnection) => boolean;
  readonly why: string;
}
const isSet = (value: unknown) => value !== undefined && value !== null && value !== false;
const refuse = (why: string, isRefused: Refusal['isRefused'] = isSet): Refusal => ({ isRefused, why });

/** All options of ioredis: a new one does not compile until it stands here. Null: it may be set. */
const OPTIONS: Record<Option, Refusal | null> = {
  keyPrefix: refuse(
    'on a Cluster, idle workers would not be woken: use the option prefix of the broker instead',
    (value, redis) => isCluster(redis) && Boolean(value),
  ),
  stringNumbers: refuse('answers of scripts would be texts instead of numbers: leave it out'),
  replyMapping: refuse(
    'answers would have another shape: leave it out, or set it to "legacy"',
    (value) => value === 'resp3',
  ),
  monitor: refuse('such a connection takes no commands: give another one'),
  commandQueue: refuse('answers would find no call: leave it out', (value) => value === false),
  enableAutoPipelining: refuse(
    'with a keyPrefix, or another copy of ioredis, scripts would lose their names: leave it out',
    (value, redis) => isSet(value) && !takesCommands(redis),
  ),
  scaleReads: refuse(
    'replicas would answer with the past: leave it out, or set it to "master"',
    (value) => value !== undefined && value !== 'master',
  ),
  readOnly: refuse(
    'a replica takes no jobs: leave it out, and point the address at the master',
    (value, redis) => isCluster(redis) && isSet(value),
  ),
  Connector: null,
  autoPipeliningIgnoredCommands: null,
  autoResendUnfulfilledCommands: null,
  autoResubscribe: null,
  blockingTimeout: null,
  blockingTimeoutGrace: null,
  clientInfoTag: null,
  clusterNodeRetryStrategy: null,
  clusterRetryStrategy: null,
  commandTimeout: null,
  connectTimeout: null,
  connectionName: null,
  db: null,
  disableClientInfo: null,
  dnsLookup: null,
  enableOfflineQueue: null,
  enableReadyCheck: null,
  himportFieldsets: null,
  keepAlive: null,
  lazyConnect: null,
  maxLoadingRetryTime: null,
  maxRedirections: null,
  maxRetriesPerRequest: null,
  natMap: null,
  noDelay: null,
  offlineQueue: null,
  password: null,
  protocol: null,
  reconnectOnError: null,
  redisOptions: null,
  resolveSrv: null,
  retryDelayOnClusterDown: null,
  retryDelayOnFailover: null,
  retryDelayOnMoved: null,
  retryDelayOnTryAgain: null,
  retryStrategy: null,
  scripts: null,
  shardedSubscribers: null,
  showFriendlyErrorStack: null,
  slotsRefreshInterval: null,
  slotsRefreshTimeout: null,
  socketTimeout: null,
  useSRVRecords: null,
  username: null,
};

/** @throws RedriveError VALIDATION naming every option of the connection that jobs would suffer from */
export function refuseConnectionOptions(redis: RedisConnection): void {
  const options: Record<string, unknown> = { ...redis.options };
  const ofNodes: Record<string, unknown> = isCluster(redis) ? { ...redis.options.redisOptions } : {};
  const fields = Object.entries(OPTIONS).flatMap(([name, refusal]) =>
    [
      { field: `redis.options.${name}`, value: options[name] },
      { field: `redis.options.redisOptions.${name}`, value: ofNodes[name] },
    ].flatMap(({ field, value }) =>
      refusal?.isRefused(value, redis) ? [{ field, message: refusal.why }] : [],
    ),
  );
  if (fields.length === 0) return;
  const detail = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new RedriveError('VALIDATION', `options is not valid: ${detail}.`, { fields });
}
