/**
 * Listens to Sentinels for a new master. They announce it seconds before the old master steps down, and jobs it takes until then are lost.
 * The listener of ioredis leaves connections behind and can end the search for the new master.
 */
import { Redis, type RedisOptions } from 'ioredis';

const CHANNEL = '+switch-master';
const LISTENED_TO_MAX = 5;

interface Watched {
  sentinels: readonly { host: string; port: number }[];
  master: string;
  options: RedisOptions;
  /** Called with each listener before it connects. */
  prepare: (sentinel: Redis) => void;
}

/** Lives as long as the connection does: from its first `ready` to its `end`. */
export function watchSentinels(redis: Redis, { sentinels, master, options, prepare }: Watched): void {
  let listeners: Redis[] = [];
  const stop = () => {
    for (const listener of listeners) listener.disconnect();
    listeners = [];
  };
  const start = () => {
    if (listeners.length > 0) return;
    listeners = sentinels.slice(0, LISTENED_TO_MAX).map((sentinel) => {
      const listener = new Redis({ ...options, ...sentinel, lazyConnect: true, enableReadyCheck: false });
      prepare(listener);
      listener.on('error', () => undefined);
      listener.on('message', (_, text: string) => {
        // <name> <old host> <old port> <new host> <new port>
        const [name, , , host, port] = text.split(' ');
        if (name !== master || redis.status !== 'ready') return;
        if (redis.stream.remoteAddress === host && String(redis.stream.remotePort) === port) return;
        redis.disconnect(true);
      });
      listener.subscribe(CHANNEL).catch(() => undefined);
      return listener;
    });
  };
  redis.on('ready', start);
  redis.on('end', stop);
}
