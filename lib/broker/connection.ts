/** Connections to Redis, and the check that this Redis may hold jobs at all. */
import { Redis, type RedisOptions } from 'ioredis';
import { RedriveError } from '@/lib/contract/errors';

/** A call not answered within this is an unknown outcome: every verb is safe to send again. */
export const COMMAND_TIMEOUT_MS = 5_000;
const RECONNECT_MAX_MS = 2_000;

/**
 * Options every connection shares. Nothing is resent behind our back: a write whose reply is lost ends as UNKNOWN_OUTCOME
 * at its own deadline, and the caller decides. Auto-pipelining stays off: measured, it defers each write by a tick.
 */
export function redisOptions(chance: () => number = Math.random): RedisOptions {
  return {
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: null,
    autoResendUnfulfilledCommands: false,
    enableAutoPipelining: false,
    lazyConnect: true,
    // Full jitter, so that a thousand workers do not come back in the same millisecond.
    retryStrategy: (times) =>
      20 + Math.floor(chance() * Math.min(RECONNECT_MAX_MS, 50 * 2 ** Math.min(times, 6))),
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  };
}

/** Opens (lazily) a connection. Errors surface at the calls that meet them, not as events that end the process. */
export function openRedis(url: string, options: RedisOptions = {}): Redis {
  const redis = new Redis(url, { ...redisOptions(), ...options });
  redis.on('error', () => undefined);
  return redis;
}

/**
 * Refuses a Redis that would lose jobs: one that evicts keys when full, or is too old for the commands used.
 * @throws RedriveError REDIS_UNSAFE, with a sentence saying why and how to mend it
 */
export async function checkServer(redis: Redis, allowEviction: boolean): Promise<{ version: string }> {
  const info = String(await redis.info());
  const field = (name: string) => info.match(new RegExp(`^${name}:(.*?)\\r?$`, 'm'))?.[1] ?? '';
  const version = field('redis_version');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < 6 || (major === 6 && minor < 2))
    throw new RedriveError(
      'REDIS_UNSAFE',
      `This is Redis ${version || 'of an unknown version'}; Redrive needs 6.2 or newer. Upgrade the server, or point REDIS_URL at another.`,
    );
  const policy = field('maxmemory_policy');
  if (policy !== 'noeviction' && !allowEviction)
    throw new RedriveError(
      'REDIS_UNSAFE',
      `This Redis has maxmemory-policy ${policy || 'unknown'}: when memory is full it would delete jobs to make room. Run CONFIG SET maxmemory-policy noeviction (and put it into redis.conf), or pass allowEviction if losing jobs is acceptable.`,
    );
  return { version };
}
