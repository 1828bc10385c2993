/** A console's server side on a Redis of its own, for route tests: set the environment first, import after. */
import { type Broker, createBroker } from '@/lib/broker';
import { startRedis, type TestRedis } from './redis';

export interface TestConsole {
  redis: TestRedis;
  broker: Broker;
  /** A fingerprint of everything stored. Equal before and after means: nothing was changed. */
  fingerprint(): Promise<string>;
  stop(): Promise<void>;
}

export async function startTestConsole(): Promise<TestConsole> {
  const redis = await startRedis();
  process.env.REDIS_URL = redis.path;
  process.env.REDRIVE_LAB = 'on';
  process.env.LOG_LEVEL = 'silent';
  const client = redis.connect();
  const broker = createBroker({ redis: client });
  return {
    redis,
    broker,
    async fingerprint() {
      const keys = (await client.keys('*')).sort();
      const dumps = await Promise.all(
        keys.map(async (key) => `${key}=${(await client.dumpBuffer(key))?.toString('base64')}`),
      );
      return dumps.join('\n');
    },
    async stop() {
      // The server side keeps its own connection open for the life of the process; end it with the test.
      const { getBroker } = await import('@/lib/server/broker');
      const { getSampler } = await import('@/lib/server/sampler');
      const { getBulkRunner } = await import('@/lib/server/bulk-runner');
      getSampler().stop();
      getBulkRunner().stop();
      getBroker().close();
      await redis.stop();
    },
  };
}
