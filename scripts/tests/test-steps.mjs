/**
 * The steps of the tests, in order: quick ones first, so that a slip shows within seconds. `npm test` leaves out those that are
 * marked `beyond`; `npm run test:all` runs every one. A step that mostly waits runs beside another one.
 */
import { playwrightCounts, vitestCounts } from './test-reports.mjs';

const MINUTE = 60_000;
const NEXT = 'node_modules/next/dist/bin/next';
const VITEST = 'node_modules/vitest/vitest.mjs';
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';

/**
 * @typedef {object} Step
 * @property {string} name also its flag: --name
 * @property {string} title
 * @property {string[][]} commands arguments for node, run in turn until one fails
 * @property {number} timeoutMs
 * @property {boolean} [beyond] not a part of `npm test`
 * @property {string} [beside] runs while the step of that name does, if both were asked for
 * @property {('redis' | 'browser' | 'build' | 'worker')[]} [needs]
 * @property {'vitest' | 'playwright'} [runner] takes the extra arguments and reports its own counts
 */

/** @param {string} name @param {string} title @param {Partial<Step>} [more] @returns {Step} */
const vitest = (name, title, more = {}) => ({
  name,
  title,
  commands: [
    [VITEST, 'run', '--project', name, '--passWithNoTests', '--reporter=default', '--reporter=json'],
  ],
  timeoutMs: 25 * MINUTE,
  runner: 'vitest',
  ...more,
});

/** @param {string} name @param {string} title @param {string[]} select @param {Partial<Step>} more @returns {Step} */
const playwright = (name, title, select, more) => ({
  name,
  title,
  commands: [[PLAYWRIGHT, 'test', '--pass-with-no-tests', '--reporter=list,json', ...select]],
  timeoutMs: 45 * MINUTE,
  needs: ['redis', 'browser', 'build'],
  runner: 'playwright',
  ...more,
});

/** @type {Step[]} */
export const STEPS = [
  { name: 'lint', title: 'Lint and imports', commands: [['scripts/lint.mjs']], timeoutMs: 3 * MINUTE },
  {
    name: 'types',
    title: 'Types',
    commands: [
      [NEXT, 'typegen'],
      ['node_modules/typescript-native/bin/tsc', '--noEmit'],
    ],
    timeoutMs: 5 * MINUTE,
  },
  vitest('unit', 'Unit tests'),
  vitest('redis', 'Tests on a real Redis', { needs: ['redis'] }),
  vitest('route', 'Route tests', { needs: ['redis'] }),
  {
    name: 'build',
    title: 'Build',
    commands: [['scripts/build.mjs', '--if-changed']],
    timeoutMs: 15 * MINUTE,
  },
  {
    name: 'client',
    title: 'No server code in the browser',
    commands: [['scripts/checks/check-client.mjs']],
    timeoutMs: MINUTE,
    needs: ['build'],
  },
  playwright('smoke', 'Smoke test, in a browser', ['--grep=@smoke'], { timeoutMs: 10 * MINUTE }),
  vitest('slow', 'Slow tests on a real Redis', { needs: ['redis'], beyond: true }),
  vitest('process', 'Real processes', {
    needs: ['redis', 'build', 'worker'],
    beside: 'slow',
    beyond: true,
  }),
  vitest('chaos', 'Chaos: real processes, killed', {
    needs: ['redis', 'build', 'worker'],
    timeoutMs: 45 * MINUTE,
    beside: 'slow',
    beyond: true,
  }),
  playwright('e2e', 'End to end, in a browser', ['--grep-invert=@smoke'], {
    timeoutMs: 45 * MINUTE,
    beyond: true,
  }),
];

/** @param {Step} step @param {string} path @param {boolean} ended @returns {import('./test-reports.mjs').Counts} */
export function countsOf(step, path, ended) {
  if (step.runner === 'vitest') return vitestCounts(path, ended);
  if (step.runner === 'playwright') return playwrightCounts(path, ended);
  return { passed: ended ? 1 : 0, failed: ended ? 0 : 1, skipped: 0 };
}

/** Each step in order, with those that run in turn while it does. @param {Step[]} steps @returns {{step: Step, aside: Step[]}[]} */
export function sideBySide(steps) {
  const hosts = new Set(steps.map(({ name }) => name));
  const isAside = (/** @type {Step} */ { beside }) => beside !== undefined && hosts.has(beside);
  return steps
    .filter((step) => !isAside(step))
    .map((step) => ({ step, aside: steps.filter(({ beside }) => beside === step.name) }));
}

/**
 * Which steps were asked for, and what goes on to the test runner: `npm test -- --unit -- lib/format`. `--all` is every step,
 * `--beyond` the ones that `npm test` leaves out.
 * @param {string[]} argv
 */
export function chooseSteps(argv) {
  const cut = argv.indexOf('--');
  const flags = cut < 0 ? argv : argv.slice(0, cut);
  const extra = cut < 0 ? [] : argv.slice(cut + 1);
  const allowed = ['--all', '--beyond', ...STEPS.map(({ name }) => `--${name}`)];
  const unknown = flags.find((flag) => !allowed.includes(flag));
  if (unknown)
    throw new Error(
      `npm test does not know ${unknown}. It knows ${allowed.join(' ')}; what follows a second -- goes to the test runner.`,
    );
  const steps = STEPS.filter(({ name, beyond = false }) =>
    flags.length === 0
      ? !beyond
      : flags.includes('--all') || flags.includes(`--${name}`) || (beyond && flags.includes('--beyond')),
  );
  if (extra.length && !steps.some(({ runner }) => runner))
    throw new Error('What follows the second -- is for a test runner, and none of these steps has one.');
  return { steps, extra };
}
