/**
 * Starts for the browser tests what a person would start: a Redis of its own, the production console and the demo worker; and signs
 * everybody in once. The tests find them through the environment: REDRIVE_E2E_URL, REDRIVE_E2E_REDIS_URL, and REDRIVE_E2E_STATES
 * (see people.ts; REDRIVE_E2E_STATE is ann's). Returns what ends it all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, LOOPBACK } from '../scripts/lib/net.mjs';
import { startStack } from '../scripts/lib/stack.mjs';
import { startServer } from '../scripts/redis.mjs';
import { ANN, keepState, PEOPLE, signIn, stateOf, usersJson } from './people';

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
    env: {
      REDRIVE_LAB: 'on',
      AUTH: 'local',
      REDRIVE_USERS: await usersJson(),
      // Longer than all tests take: what asks for a proof is tested with a console of its own.
      REDRIVE_PROOF_MINUTES: '600',
      // Tests click faster than people do; the limits have tests of their own.
      REDRIVE_RATE_FACTOR: '50',
    },
  });
  const teardown = async () => {
    await stack.stop();
    await redis.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  process.env.REDRIVE_E2E_URL = stack.url;
  process.env.REDRIVE_E2E_REDIS_URL = redis.url;
  process.env.REDRIVE_E2E_STATES = dir;
  process.env.REDRIVE_E2E_STATE = stateOf(ANN);
  try {
    await stack.ready(60_000);
    for (const person of PEOPLE) keepState(person, await signIn(stack.url, person));
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}
