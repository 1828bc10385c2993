import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');
const SPECIAL = '**/*.{redis,route,chaos}.test.{ts,tsx}';
const NEVER = ['**/node_modules/**', '**/.*/**', '**/dist/**', 'e2e/**'];

/** One project a kind of test, told by its file name: what it needs differs, and so does how long it may take. */
function project(
  name: string,
  include: string,
  test: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: { name, include: [include], exclude: NEVER, environment: 'node', pool: 'forks', ...test },
  };
}

export default defineConfig({
  // Examples import the package by its name; here they get its source.
  resolve: { alias: { '@': root, redrive: `${root}/lib/index.ts` } },
  test: {
    projects: [
      // Files share a process, and what they import, which is half of their time. None leaves behind what another trips over.
      project('unit', '**/*.test.{ts,tsx}', { exclude: [...NEVER, SPECIAL], isolate: false, maxWorkers: 2 }),
      // Each file has a Redis of its own, and much of its time is waiting: two at a time, however few the cores.
      project('redis', '**/*.redis.test.ts', {
        testTimeout: 30_000,
        hookTimeout: 30_000,
        maxWorkers: 2,
        sequence: { groupOrder: 2 },
      }),
      project('route', '**/*.route.test.ts', {
        testTimeout: 30_000,
        hookTimeout: 30_000,
        maxWorkers: 2,
        sequence: { groupOrder: 3 },
      }),
      // Real processes are started, killed and timed here, so nothing else may compete for the machine.
      project('chaos', '**/*.chaos.test.ts', {
        testTimeout: 300_000,
        hookTimeout: 120_000,
        fileParallelism: false,
        maxWorkers: 1,
        sequence: { groupOrder: 1 },
      }),
    ],
    coverage: {
      provider: 'v8',
      include: ['lib/**', 'worker/**', 'scripts/**', 'app/**', 'components/**'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
