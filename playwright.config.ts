import { defineConfig } from '@playwright/test';
import type { StackAddress } from './e2e/start-stack';
import { ANN, stateOf } from './e2e/user-pages';
import { browserArgs, findBrowser } from './scripts/setup/browser.mjs';
import './scripts/ensure-lua.mjs';

// Found once: Playwright's workers load this file again and inherit the answer.
process.env.REDRIVE_CHROMIUM ??= findBrowser().path;
const executablePath = process.env.REDRIVE_CHROMIUM;

/** Each Playwright worker has a running system of its own, started by e2e/start-stack.ts. The main process has none. */
const stacks: StackAddress[] = JSON.parse(process.env.REDRIVE_E2E_STACKS ?? '[]');
const stack = stacks[Number(process.env.TEST_PARALLEL_INDEX ?? 0)];
if (stack) {
  process.env.REDRIVE_E2E_URL = stack.url;
  process.env.REDRIVE_E2E_REDIS_URL = stack.redisUrl;
  process.env.REDRIVE_E2E_STATES = stack.states;
}

export default defineConfig({
  testDir: './e2e',
  testMatch: '**/*.spec.ts',
  snapshotPathTemplate: 'docs/screens/{arg}{ext}',
  outputDir: './test-results/e2e',
  globalSetup: './e2e/start-stack.ts',
  // Nothing is claimed by these limits: a page that is right may stand still for as long as the machine is busy.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // The tests of one stack take turns. A test that passes on its second try has failed.
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    baseURL: stack?.url,
    // Every page and request is that of an administrator, unless a test says otherwise.
    storageState: stack && stateOf(ANN),
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // Without a film of every page: recording it takes the machine that the pages need. The screenshot shows the end.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args: browserArgs(executablePath) },
  },
});
