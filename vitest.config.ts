import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import './scripts/ensure-lua.mjs';

const root = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '');
const SPECIAL = '**/*.{redis,route,process,chaos}.test.{ts,tsx}';
const SLOW = '**/*.slow.{redis,route}.test.ts';
const NEVER = ['**/node_modules/**', '**/.*/**', '**/dist/**', 'e2e/**'];

/** One project a kind of test, told by its file name: what it needs differs, and so does how long it may take. */
function project(
  name: string,
  include: string,
  test: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [include],
      exclude: NEVER,
      environment: 'node',
      pool: 'forks',
      // Nothing is claimed by these: a test that is right may stand still for as long as the machine is busy.
      testTimeout: 30_000,
      hookTimeout: 30_000,
      expect: { poll: { timeout: 20_000 } },
      ...test,
    },
  };
}

export default defineConfig({
  // Examples import the package by its name; here they get its source.
  resolve: { alias: { '@': root, redrive: `${root}/lib/index.ts` } },
  test: {
    projects: [
      // Files share a process, and what they import, which is half of their time. None leaves behind what another trips over.
      project('unit', '**/*.test.{ts,tsx}', { exclude: [...NEVER, SPECIAL], isolate: false, maxWorkers: 2 }),
      // Each file has a Redis of its own, and much of its time is waiting: two at a time, however few the cores. Files share a process
      // here, too: loading the broker anew for each would be a third of their time.
      project('redis', '**/*.redis.test.ts', {
        exclude: [...NEVER, SLOW],
        isolate: false,
        maxWorkers: 2,
        sequence: { groupOrder: 2 },
      }),
      project('route', '**/*.route.test.ts', {
        exclude: [...NEVER, SLOW],
        maxWorkers: 2,
        sequence: { groupOrder: 3 },
      }),
      // Mutants, outages, failovers and long random runs: not in `npm test`, but in `npm run test:all`.
      project('slow', SLOW, {
        testTimeout: 60_000,
        hookTimeout: 60_000,
        maxWorkers: 2,
        sequence: { groupOrder: 4 },
      }),
      // Commands and servers as processes of their own, which do not mind company.
      project('process', '**/*.process.test.ts', {
        testTimeout: 300_000,
        hookTimeout: 120_000,
        maxWorkers: 2,
        sequence: { groupOrder: 5 },
      }),
      // Real processes are started, killed and timed here: one file at a time. `npm run test:all` runs them beside the slow tests,
      // which mostly wait.
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
