/**
 * Starts for the browser tests what a user would start: for each Playwright worker a Redis, the production console and the demo
 * worker; and signs everybody in once. playwright.config.ts hands each worker its own stack, through REDRIVE_E2E_URL,
 * REDRIVE_E2E_REDIS_URL and REDRIVE_E2E_STATES (see people.ts).
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FullConfig } from '@playwright/test';
import { startStack } from '../scripts/lib/demo-stack.mjs';
import { freePort, LOOPBACK } from '../scripts/lib/free-ports.mjs';
import { startServer } from '../scripts/setup/redis-setup.mjs';
import { keepState, PEOPLE, signIn, usersJson } from './user-pages';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');

/** What a Playwright worker needs of its stack. */
export interface StackAddress {
  readonly url: string;
  readonly redisUrl: string;
  /** Folder of the signed-in sessions. */
  readonly states: string;
}

async function startOne(dir: string, name: string, users: string) {
  const redis = await startServer({ dataDir: join(dir, `redis-${name}`) });
  const stack = startStack({
    root: ROOT,
    redisUrl: redis.url,
    host: LOOPBACK,
    port: await freePort(),
    logDir: join(ROOT, 'test-results/logs', name),
    env: {
      REDRIVE_LAB: 'on',
      AUTH: 'local',
      REDRIVE_USERS: users,
      // Longer than all tests take: re-authentication is tested with a console of its own.
      REDRIVE_REAUTHENTICATION_MINUTES: '600',
      // Tests click faster than users do; the limits have tests of their own.
      REDRIVE_RATE_FACTOR: '50',
    },
  });
  const stop = async () => {
    await stack.stop();
    await redis.stop();
  };
  const states = join(dir, `states-${name}`);
  mkdirSync(states, { mode: 0o700 });
  const address: StackAddress = { url: stack.url, redisUrl: redis.url, states };
  const signInAll = async () => {
    await stack.ready(60_000);
    for (const person of PEOPLE) keepState(states, person, await signIn(stack.url, person));
  };
  return { address, signInAll, stop };
}

export default async function setup(config: FullConfig): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'redrive-e2e-'));
  const users = await usersJson();
  const names = Array.from({ length: config.workers }, (_, index) => `stack-${index}`);
  const stacks = await Promise.all(names.map((name) => startOne(dir, name, users)));
  const teardown = async () => {
    await Promise.all(stacks.map(({ stop }) => stop()));
    rmSync(dir, { recursive: true, force: true });
  };
  process.env.REDRIVE_E2E_STACKS = JSON.stringify(stacks.map(({ address }) => address));
  try {
    await Promise.all(stacks.map(({ signInAll }) => signInAll()));
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}
