import type { RedisConnection } from '../redis-connection';

type Listener = (...values: never[]) => void;
interface Shared {
  readonly listeners: Set<Listener>;
  readonly dispatch: (...values: unknown[]) => void;
}

/** Per connection and event. */
const sharedOf = new WeakMap<RedisConnection, Map<string, Shared>>();

/**
 * Listens with one listener a connection and event, however many brokers share the connection: EventEmitter warns of a leak from the
 * eleventh on. Returns how to stop; the last to stop leaves nothing on the connection.
 */
export function listen(redis: RedisConnection, event: string, listener: Listener): () => void {
  const events = sharedOf.get(redis) ?? new Map<string, Shared>();
  sharedOf.set(redis, events);
  const shared = events.get(event) ?? open();
  shared.listeners.add(listener);
  return () => {
    if (!shared.listeners.delete(listener) || shared.listeners.size > 0) return;
    redis.off(event, shared.dispatch);
    events.delete(event);
  };

  function open(): Shared {
    const listeners = new Set<Listener>();
    const dispatch = (...values: unknown[]) => {
      // A copy: one listener may stop others, or bring new ones that this event does not concern.
      for (const each of [...listeners]) if (listeners.has(each)) each(...(values as never[]));
    };
    redis.on(event, dispatch);
    events.set(event, { listeners, dispatch });
    return { listeners, dispatch };
  }
}
