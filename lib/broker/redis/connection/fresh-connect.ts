/** Reads the secrets of a connection before each of its connects: ioredis itself knows only those it was made with. */
import { Socket } from 'node:net';
import { Cluster, type Redis, type RedisOptions } from 'ioredis';
import type { Secrets } from './redis-secrets';

type Fresh = () => Promise<Secrets>;
type Connect = (emit: unknown) => Promise<unknown>;
/** What a connector of ioredis has, and does not declare. */
interface Connector {
  connecting: boolean;
  firstError?: unknown;
  connect: Connect;
  connectToSentinel?: (endpoint: unknown, options?: RedisOptions) => Redis;
}

const freshOf = new WeakMap<Redis, Fresh>();

/** A Cluster makes the connections to its nodes later. */
export function connectFresh(redis: Redis | Cluster, fresh: Fresh): void {
  if (redis instanceof Cluster) redis.on('+node', (node: Redis) => patch(node, fresh));
  else patch(redis, fresh);
}

/** Of a Sentinel, whose user and password are its own. */
export const connectSentinelFresh = (sentinel: Redis, fresh: Fresh): void =>
  patch(sentinel, async () => {
    const { sentinelUsername, sentinelPassword, tls } = await fresh();
    return { username: sentinelUsername, password: sentinelPassword, tls };
  });

/** Another connection to the same place, as fresh as the first. */
export function duplicateOf(redis: Redis, options: Partial<RedisOptions>): Redis {
  const fresh = freshOf.get(redis);
  if (fresh === undefined) return redis.duplicate(options);
  const other = redis.duplicate({ ...options, lazyConnect: true });
  patch(other, fresh);
  return other;
}

function patch(redis: Redis, fresh: Fresh): void {
  freshOf.set(redis, fresh);
  const connector: Connector = Reflect.get(redis, 'connector');
  const { connectToSentinel } = connector;
  if (connectToSentinel)
    // The search for a Sentinel goes on within one connect.
    connector.connectToSentinel = (endpoint, options) => {
      const sentinel = connectToSentinel.call(connector, endpoint, { ...options, lazyConnect: true });
      connectSentinelFresh(sentinel, fresh);
      return sentinel;
    };
  const connect = connector.connect.bind(connector);
  connector.connect = async (emit) => {
    connector.connecting = true;
    try {
      use(redis, await fresh());
    } catch (error) {
      return brokenStream(connector, error);
    }
    // Closed meanwhile.
    if (!connector.connecting) throw new Error('Connection is closed.');
    return connect(emit);
  };
}

/** ioredis takes the options again at each connect, but has copied user and password by then. */
function use(redis: Redis, { username, password, sentinelUsername, sentinelPassword, tls }: Secrets): void {
  Object.assign(redis.options, { username, password, tls });
  if (redis.options.sentinels)
    Object.assign(redis.options, { sentinelUsername, sentinelPassword, sentinelTLS: tls });
  if (redis.condition) redis.condition.auth = username ? [username, password ?? ''] : password;
}

/** A connection that has failed already: ioredis reports the error and tries again, as after any other. A rejection would end it. */
function brokenStream(connector: Connector, error: unknown): Socket {
  connector.firstError = error;
  return new Socket().destroy();
}
