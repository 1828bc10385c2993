/** The steps of `npm test`, in order: quick ones first, so that a slip shows within seconds. */
import { playwrightCounts, vitestCounts } from './reports.mjs';

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

/** @type {Step[]} */
export const STEPS = [
  { name: 'lint', title: 'Lint and imports', commands: [['scripts/lint.mjs']], timeoutMs: 3 * MINUTE },
  {
    name: 'types',
    title: 'Types',
    commands: [
      [NEXT, 'typegen'],
      ['node_modules/typescript/bin/tsc', '--noEmit'],
    ],
    timeoutMs: 5 * MINUTE,
  },
  {
    name: 'lua',
    title: 'Embedded Lua is current',
    commands: [['scripts/lua.mjs', '--check']],
    timeoutMs: MINUTE,
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
    commands: [['scripts/check-client.mjs']],
    timeoutMs: MINUTE,
    needs: ['build'],
  },
  vitest('chaos', 'Chaos: real processes, killed', {
    needs: ['redis', 'build', 'worker'],
    timeoutMs: 45 * MINUTE,
  }),
  {
    name: 'e2e',
    title: 'End to end, in a browser',
    commands: [[PLAYWRIGHT, 'test', '--pass-with-no-tests', '--reporter=list,json']],
    timeoutMs: 45 * MINUTE,
    needs: ['redis', 'browser', 'build'],
    runner: 'playwright',
  },
];

/** @param {Step} step @param {string} path @param {boolean} ended @returns {import('./reports.mjs').Counts} */
export function countsOf(step, path, ended) {
  if (step.runner === 'vitest') return vitestCounts(path, ended);
  if (step.runner === 'playwright') return playwrightCounts(path, ended);
  return { passed: ended ? 1 : 0, failed: ended ? 0 : 1, skipped: 0 };
}

/**
 * Which steps were asked for, and what goes on to the test runner: `npm test -- --unit -- lib/format`.
 * @param {string[]} argv
 */
export function chooseSteps(argv) {
  const cut = argv.indexOf('--');
  const flags = cut < 0 ? argv : argv.slice(0, cut);
  const extra = cut < 0 ? [] : argv.slice(cut + 1);
  const known = STEPS.map(({ name }) => `--${name}`);
  const unknown = flags.find((flag) => !known.includes(flag));
  if (unknown)
    throw new Error(
      `npm test does not know ${unknown}. It knows ${known.join(' ')}; what follows a second -- goes to the test runner.`,
    );
  const steps = flags.length ? STEPS.filter(({ name }) => flags.includes(`--${name}`)) : STEPS;
  if (extra.length && !steps.some(({ runner }) => runner))
    throw new Error('What follows the second -- is for a test runner, and none of these steps has one.');
  return { steps, extra };
}
