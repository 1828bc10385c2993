/**
 * Starts for the browser tests what a person would start: a Redis of its own, the production console and the demo worker.
 * The tests find them through the environment: REDRIVE_E2E_URL, REDRIVE_E2E_REDIS_URL. Returns what ends it all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, LOOPBACK } from '../scripts/lib/net.mjs';
import { startStack } from '../scripts/lib/stack.mjs';
import { startServer } from '../scripts/redis.mjs';

export default async function setup(): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'redrive-e2e-'));
  const root = resolve(fileURLToPath(import.meta.url), '../..');
  const redis = await startServer({ dataDir: join(dir, 'redis') });
  const stack = startStack({
    root,
    redisUrl: redis.url,
    host: LOOPBACK,
    port: await freePort(),
    logDir: join(root, 'test-results/logs'),
    env: { REDRIVE_LAB: 'on' },
  });
  const teardown = async () => {
    await stack.stop();
    await redis.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  await stack.ready(60_000).catch(async (error: unknown) => {
    await teardown();
    throw error;
  });
  process.env.REDRIVE_E2E_URL = stack.url;
  process.env.REDRIVE_E2E_REDIS_URL = redis.url;
  return teardown;
}
