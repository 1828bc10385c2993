/** A console's server side on a Redis of its own, for route tests: set the environment first, import after. */
import { afterAll } from 'vitest';
import { type Broker, createBroker } from '@/testing/create-broker';
import { startRedis, type TestRedis } from './redis-server';

export interface TestConsole {
  redis: TestRedis;
  broker: Broker;
  /** One whose scripts go by another clock: what it makes is as old as a test needs it. */
  brokerAt(clock: () => number): Broker;
  /** A fingerprint of everything stored. Equal before and after means: nothing was changed, though it may be on record who tried. */
  fingerprint(): Promise<string>;
  stop(): Promise<void>;
}

/** Where refused attempts are entered, and the log that they are carried into. */
const ON_RECORD = /:\{\.access\}:audit$|:\{\.audit\}:/;

export async function startTestConsole(): Promise<TestConsole> {
  const redis = await startRedis();
  process.env.REDIS_URL = redis.path;
  process.env.REDRIVE_LAB = 'on';
  process.env.LOG_LEVEL = 'silent';
  // Tests of rights sign in: see sign-in.ts.
  process.env.AUTH = 'none';
  const client = redis.connect();
  const broker = createBroker({ redis: client });
  return {
    redis,
    broker,
    brokerAt: (clock) => createBroker({ redis: client, clock }),
    async fingerprint() {
      const keys = (await client.keys('*')).filter((key) => !ON_RECORD.test(key)).sort();
      const contents = await Promise.all(keys.map(async (key) => `${key}=${await contentOf(client, key)}`));
      return contents.join('\n');
    },
    async stop() {
      // The server side keeps its own connection open for the life of the process; end it with the test.
      const { getBroker } = await import('@/lib/server/console-broker');
      const { getLab } = await import('@/lib/server/lab/console-lab');
      const { getSampler } = await import('@/lib/server/live/sampler');
      const { getOperationRunner: getBulkRunner } = await import('@/lib/server/background/operation-runner');
      getSampler().stop();
      getBulkRunner().stop();
      getLab().close();
      getBroker().close();
      await redis.stop();
    },
  };
}

/** `startTestConsole` for the tests of one file, stopped after the last of them. */
export async function setUpConsole(): Promise<TestConsole> {
  const server = await startTestConsole();
  afterAll(() => server.stop());
  return server;
}

/** Redis may turn the rows of a hash about while nobody changes it, and a dump has them as they stand. */
async function contentOf(client: ReturnType<TestRedis['connect']>, key: string): Promise<string> {
  // When a queue was entered last says that somebody tried, not that anything changed.
  if (key.endsWith(':queues')) return (await client.zrange(key, '0', '-1')).sort().join();
  if ((await client.type(key)) !== 'hash') return (await client.dumpBuffer(key))?.toString('base64') ?? '';
  const flat = (await client.callBuffer('HGETALL', key)) as Buffer[];
  const rows = flat.map((part) => part.toString('base64'));
  const pairs = Array.from({ length: rows.length / 2 }, (_, i) => `${rows[2 * i]}:${rows[2 * i + 1]}`);
  return pairs.sort().join();
}
