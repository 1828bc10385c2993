/** Connections to Redis: one server, a unix socket, Sentinels or a Cluster, by address alone. */
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { connectFresh, connectSentinelFresh } from './connection/fresh-connect';
import { makePatient } from './connection/patient-connection';
import { type SecretSources, type Secrets, secretReader } from './connection/redis-secrets';
import type { RedisAddress } from './redis-address';
import { watchSentinels } from './sentinel-watch';
import { rememberDiagnosis } from './tls-diagnosis';

/** Either kind of connection; what a call needs both have. */
export type RedisConnection = Redis | Cluster;

/** A call not answered within this is an unknown outcome: every verb is safe to send again. */
export const COMMAND_TIMEOUT_MS = 5_000;
const RECONNECT_MAX_MS = 2_000;
const SENTINEL_TIMEOUT_MS = 2_000;
const SLOTS_TIMEOUT_MS = 2_000;
const SLOTS_REFRESH_MS = 30_000;

type OpenOptions = Omit<RedisOptions, 'tls'> & Omit<SecretSources, 'url'>;

/** Full jitter, so that a thousand workers do not come back in the same millisecond. */
const backoff = (maxMs: number) => (times: number) =>
  20 + Math.floor(Math.random() * Math.min(maxMs, 50 * 2 ** Math.min(times, 6)));

/**
 * Options of every connection. Nothing is resent: a write with a lost reply ends as UNKNOWN_OUTCOME, and the caller decides.
 * Auto-pipelining stays off: measured, it defers each write by a tick.
 */
const COMMON_OPTIONS: RedisOptions = {
  commandTimeout: COMMAND_TIMEOUT_MS,
  connectTimeout: COMMAND_TIMEOUT_MS,
  // A network that swallows packets closes nothing, and TCP would try for 15 minutes: silence while answers are due ends the connection.
  socketTimeout: COMMAND_TIMEOUT_MS,
  // What waits for an answer when the connection closes will have none: it ends then, not at its deadline.
  maxRetriesPerRequest: 0,
  // Asks a loading server each second, whatever time it thinks it needs.
  maxLoadingRetryTime: 1_000,
  autoResendUnfulfilledCommands: false,
  enableAutoPipelining: false,
  lazyConnect: true,
  retryStrategy: backoff(RECONNECT_MAX_MS),
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
};

/**
 * Opens a connection lazily, from `url` or from the address in `urlFile`. Calls report its errors.
 * @throws RedriveError VALIDATION for an address, a file or credentials that cannot be used
 */
export function openRedis(
  url: string | undefined,
  { tls, urlFile, credentials, ...options }: OpenOptions = {},
): RedisConnection {
  const { address, first, fresh } = secretReader({ url, urlFile, tls, credentials });
  const common: RedisOptions = {
    ...COMMON_OPTIONS,
    username: first.username,
    password: first.password,
    family: address.family,
    tls: first.tls,
    ...options,
  };
  const redis =
    address.kind === 'cluster'
      ? openCluster(address.nodes, common)
      : new Redis(serverOptions(address, common, first));
  redis.on('error', () => undefined);
  if (fresh) connectFresh(redis, fresh);
  makePatient(redis);
  rememberDiagnosis(redis, address, async () => ((await fresh?.()) ?? first).tls);
  if (address.kind === 'sentinel' && redis instanceof Redis)
    watchSentinels(redis, {
      ...address,
      options: {
        username: first.sentinelUsername,
        password: first.sentinelPassword,
        tls: first.tls,
        family: address.family,
        connectTimeout: SENTINEL_TIMEOUT_MS,
        maxRetriesPerRequest: null,
        retryStrategy: backoff(RECONNECT_MAX_MS),
      },
      prepare: (sentinel) => fresh && connectSentinelFresh(sentinel, fresh),
    });
  return redis;
}

function serverOptions(
  address: Exclude<RedisAddress, { kind: 'cluster' }>,
  common: RedisOptions,
  { sentinelUsername, sentinelPassword }: Secrets,
): RedisOptions {
  const { db } = address;
  if (address.kind === 'socket') return { db, path: address.path, ...common };
  if (address.kind === 'server') return { db, ...address.hostPort, ...common };
  return {
    db,
    sentinels: address.sentinels,
    name: address.master,
    role: 'master',
    sentinelUsername,
    sentinelPassword,
    sentinelTLS: common.tls,
    enableTLSForSentinelMode: address.secure,
    // Without this a Sentinel that accepts and then says nothing would be waited for without end.
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    sentinelRetryStrategy: backoff(1_000),
    updateSentinels: true,
    ...common,
  };
}

function openCluster(nodes: { host: string; port: number }[], common: RedisOptions): Cluster {
  const { retryStrategy: _none, reconnectOnError, family, ...redisOptions } = common;
  const options: ClusterOptions = {
    lazyConnect: true,
    redisOptions: { ...redisOptions, family, reconnectOnError },
    // It would ask any one node, which may be the one that is down, and turn away from a Cluster that still has the others.
    enableReadyCheck: false,
    // Replicas would answer scripts with MOVED, and reads with the past.
    scaleReads: 'master',
    slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    clusterRetryStrategy: backoff(RECONNECT_MAX_MS),
    // ioredis would resend calls after their node vanished.
    retryDelayOnFailover: 0,
    // Refused at once rather than asked for two seconds: the caller knows better when to come back.
    retryDelayOnClusterDown: 0,
    // Scripts on a moving slot are refused and do nothing. Every other try goes to a wrong node, so 80 tries are some two seconds.
    retryDelayOnTryAgain: 50,
    maxRedirections: 80,
    // Names stay names: each connect looks them up, tries every address, and checks the certificate of TLS against the name. ioredis would
    // take one address for good, and give up all nodes for one name that is not known.
    dnsLookup: (host, callback) => callback(null, host),
  };
  const cluster = new Cluster(nodes, options);
  // After the loss of a node, look for its slots at once, not at the next MOVED.
  cluster.on('-node', () => {
    if (cluster.status === 'ready') cluster.refreshSlotsCache();
  });
  return cluster;
}
