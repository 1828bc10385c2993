/** Connections to Redis: one server, a unix socket, Sentinels or a Cluster, by address alone. */
import { readFileSync } from 'node:fs';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import { RedriveError } from '@/lib/contract/redrive-error';
import { makePatient } from './connection/patient-connection';
import { parseRedisUrl, type RedisAddress } from './redis-address';
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

/** Files for TLS. Certificates are always verified; there is no switch to turn that off. */
export interface TlsFiles {
  /** Authorities to trust instead of the system's, PEM. Default: the environment's REDIS_CA_FILE. */
  caFile?: string;
  /** Our own certificate and key, PEM, for servers that ask for one. */
  certFile?: string;
  keyFile?: string;
  /** The name the server's certificate must carry, if it is not its host. */
  servername?: string;
}
interface OpenOptions extends Omit<RedisOptions, 'tls'> {
  tls?: TlsFiles;
}

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

/** Opens a connection lazily. Calls report its errors. @throws RedriveError VALIDATION for a wrong address or TLS file */
export function openRedis(url: string, { tls: files, ...options }: OpenOptions = {}): RedisConnection {
  const address = parseRedisUrl(url);
  const secure = tlsOptions(address, files);
  const common: RedisOptions = {
    ...COMMON_OPTIONS,
    username: address.username,
    password: address.password,
    family: address.family,
    tls: secure,
    ...options,
  };
  const redis =
    address.kind === 'cluster'
      ? openCluster(address.nodes, common)
      : new Redis(serverOptions(address, common));
  redis.on('error', () => undefined);
  makePatient(redis);
  rememberDiagnosis(redis, address, secure);
  if (address.kind === 'sentinel' && redis instanceof Redis)
    watchSentinels(redis, {
      ...address,
      options: {
        username: address.sentinelUsername,
        password: address.sentinelPassword,
        tls: secure,
        family: address.family,
        connectTimeout: SENTINEL_TIMEOUT_MS,
        maxRetriesPerRequest: null,
        retryStrategy: backoff(RECONNECT_MAX_MS),
      },
    });
  return redis;
}

function serverOptions(
  address: Exclude<RedisAddress, { kind: 'cluster' }>,
  common: RedisOptions,
): RedisOptions {
  const { db } = address;
  if (address.kind === 'socket') return { db, path: address.path, ...common };
  if (address.kind === 'server') return { db, ...address.hostPort, ...common };
  return {
    db,
    sentinels: address.sentinels,
    name: address.master,
    role: 'master',
    sentinelUsername: address.sentinelUsername,
    sentinelPassword: address.sentinelPassword,
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
    // With TLS the name is what the certificate is checked against.
    ...(common.tls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
  };
  const cluster = new Cluster(nodes, options);
  // After the loss of a node, look for its slots at once, not at the next MOVED.
  cluster.on('-node', () => {
    if (cluster.status === 'ready') cluster.refreshSlotsCache();
  });
  return cluster;
}

function tlsOptions(address: RedisAddress, given: TlsFiles = {}): RedisOptions['tls'] {
  if (!address.secure) {
    if (given.caFile || given.certFile || given.keyFile)
      throw new RedriveError(
        'VALIDATION',
        'tls was given, but the Redis address is not one with TLS: start it with rediss://, rediss+sentinel:// or rediss+cluster://.',
        { fields: [{ field: 'tls', message: 'goes with rediss:// only' }] },
      );
    return undefined;
  }
  const files: TlsFiles = { caFile: process.env.REDIS_CA_FILE || undefined, ...address.files, ...given };
  return {
    ...(files.caFile ? { ca: readPem(files.caFile, 'tls.caFile') } : {}),
    ...(files.certFile ? { cert: readPem(files.certFile, 'tls.certFile') } : {}),
    ...(files.keyFile ? { key: readPem(files.keyFile, 'tls.keyFile') } : {}),
    ...(files.servername ? { servername: files.servername } : {}),
  };
}

function readPem(path: string, field: string): string {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    throw new RedriveError('VALIDATION', `${field}: the file ${path} cannot be read (${code}).`, {
      fields: [{ field, message: `cannot be read (${code})` }],
    });
  }
  if (!pem.includes('-----BEGIN '))
    throw new RedriveError('VALIDATION', `${field}: the file ${path} holds nothing in PEM form.`, {
      fields: [{ field, message: 'is not PEM' }],
    });
  return pem;
}
