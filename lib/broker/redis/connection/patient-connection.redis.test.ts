/** An event loop that stands still is no silent Redis, and a silent Redis is still found out. */
import { expect, it } from 'vitest';
import { openRedis } from '@/lib/broker/redis/redis-connection';
import { isCluster } from '@/lib/broker/redis/server-check';
import { until } from '@/testing/poll';
import { startCluster } from '@/testing/worlds/redis-cluster';
import { setUpWorld } from '@/testing/worlds/world';
import { withDeadline } from '../call-deadline';

const TIMEOUT_MS = 500;
const world = await setUpWorld();

/** As a large synchronous piece of work does, or a machine that gives this process no turn. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function connect(url: string) {
  const redis = openRedis(url, { commandTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS });
  const seen = { closed: 0 };
  redis.on('close', () => {
    seen.closed += 1;
  });
  return { redis, seen };
}

it('believes no timeout of a loop that stood: plain commands, scripts, the connection, races', async () => {
  const { redis, seen } = connect(world.server.path);
  try {
    const broker = world.another({ redis });
    await redis.ping();
    await broker.enqueue('default', { jobType: 'a', payload: '{}' });
    const answers = Promise.all([
      redis.ping(),
      broker.enqueue('default', { jobType: 'a', payload: '{}' }),
      broker.inspect.snapshot(['default']),
      withDeadline(redis.ping(), TIMEOUT_MS),
    ]);
    // Until all commands are sent.
    await Promise.resolve();
    standStill(3 * TIMEOUT_MS);
    await answers;
    expect(seen.closed).toBe(0);
  } finally {
    redis.disconnect();
  }
});

it('waits through several stands in a row, and at the last moment', async () => {
  const { redis, seen } = connect(world.server.path);
  try {
    await redis.ping();
    await world.redis.client('PAUSE', TIMEOUT_MS, 'ALL');
    const answer = redis.ping();
    for (let i = 0; i < 3; i++) {
      standStill(TIMEOUT_MS);
      await new Promise((resolve) => setTimeout(resolve));
    }
    expect(await answer).toBe('PONG');
    expect(seen.closed).toBe(0);
  } finally {
    redis.disconnect();
  }
});

it('holds for the nodes of a Cluster', async () => {
  const cluster = await startCluster();
  const { redis, seen } = connect(cluster.url);
  try {
    await redis.set('a', '1');
    const answer = redis.get('a');
    await Promise.resolve();
    standStill(3 * TIMEOUT_MS);
    expect(await answer).toBe('1');
    expect(seen.closed).toBe(0);
    expect(isCluster(redis)).toBe(true);
  } finally {
    redis.disconnect();
    await cluster.stop();
  }
});

it('gives up a Redis that is silent while the loop runs', async () => {
  const { redis, seen } = connect(world.server.path);
  try {
    await redis.ping();
    await world.server.kill('SIGSTOP');
    await expect(redis.ping()).rejects.toThrow(/timed out|closed/);
    await until(() => seen.closed > 0, { what: 'the silent connection to be given up' });
  } finally {
    await world.server.kill('SIGCONT');
    redis.disconnect();
  }
});
