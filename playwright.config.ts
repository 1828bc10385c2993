import { defineConfig } from '@playwright/test';
import { browserArgs, findBrowser } from './scripts/browser.mjs';

// Found once: Playwright's workers load this file again and inherit the answer.
process.env.REDRIVE_CHROMIUM ??= findBrowser().path;
const executablePath = process.env.REDRIVE_CHROMIUM;

export default defineConfig({
  testDir: './e2e',
  testMatch: '**/*.spec.ts',
  outputDir: './test-results/e2e',
  globalSetup: './e2e/setup.ts',
  timeout: 120_000,
  expect: { timeout: 10_000 },
  // All tests look at one running system, so they take turns; and a test that passes on its second try has failed.
  workers: 1,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    // Set by the setup, before any worker starts.
    baseURL: process.env.REDRIVE_E2E_URL,
    // Every page and request is that of an administrator, unless a test says otherwise.
    storageState: process.env.REDRIVE_E2E_STATE,
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args: browserArgs(executablePath) },
  },
});
