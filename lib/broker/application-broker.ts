/** `createBroker`: the door for applications, which checks their input. The console checks it at its routes and opens its own broker. */
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import {
  type PauseInput,
  type PauseScope,
  pauseRequestSchema,
  pauseScopeSchema,
} from '@/lib/contract/queues/pause-schemas';
import {
  type ConfigPatch,
  configPatchSchema,
  type DrainInput,
  drainRequestSchema,
  type ShardingInput,
  shardingSchema,
} from '@/lib/contract/queues/queue-config';
import { type Actor, SYSTEM } from './access/actor';
import type { ApplicationBroker } from './engine/broker';
import { openEngine } from './open-engine';
import type { MayChangeSettings } from './queues/settings/sharded-settings';
import { type BrokerOptions, createContext } from './redis/broker-context';
import { withShards } from './shards/sharded-context';

/**
 * Opens a broker on one Redis. Nothing is connected until the first call; every call checks once that the server may hold
 * jobs (`noeviction`, 6.2 or newer) and is refused with a sentence when it may not.
 *
 * @example const broker = createBroker({ url: 'redis://127.0.0.1:6379' });
 *          await broker.enqueue('email', { jobType: 'email.send', payload: '{"to":"a@example.com"}' });
 */
export function createBroker(options: BrokerOptions): ApplicationBroker {
  return checkInput(openEngine(withShards(createContext(options))));
}

/** The same broker for callers without a route that checks their input. @throws RedriveError VALIDATION */
export function checkInput<E extends ReturnType<typeof openEngine>>(engine: E) {
  const { config, sharding } = engine;
  return {
    ...engine,
    pause: async (queue: string, request: PauseInput, by: Actor) =>
      engine.pause(queue, parseOrThrow(pauseRequestSchema, request, 'pause'), by),
    resume: async (queue: string, scope: PauseScope = 'queue', by: Actor = SYSTEM) =>
      engine.resume(queue, parseOrThrow(pauseScopeSchema, scope, 'scope'), by),
    drain: async (queue: string, request: DrainInput, by: Actor) =>
      engine.drain(queue, parseOrThrow(drainRequestSchema, request, 'drain'), by),
    config: {
      ...config,
      change: async (queue: string, patch: ConfigPatch, by: Actor, may?: MayChangeSettings) =>
        config.change(queue, parseOrThrow(configPatchSchema, patch, 'config'), by, may),
    },
    sharding: {
      ...sharding,
      set: async (queue: string, input: ShardingInput, by: Actor) =>
        sharding.set(queue, parseOrThrow(shardingSchema, input, 'sharding'), by),
    },
  };
}
