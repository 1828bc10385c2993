/**
 * `npm test`: what a change most likely breaks, on a machine that has Node and npm. `npm run test:all` adds kills, failovers, mutants
 * and every page. `npm test -- --unit` runs one step, `npm test -- --unit -- name` hands `name` to the test runner. Every step runs,
 * even after a failure. The last line is `N passed, N failed`.
 */
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeExit, startChild } from './lib/children.mjs';
import { within } from './lib/deadline.mjs';
import { followNpm } from './lib/follow-npm.mjs';
import { findBrowser } from './setup/browser.mjs';
import { installDeps } from './setup/npm-packages.mjs';
import { findServer } from './setup/redis-setup.mjs';
import { chooseSteps, countsOf, sideBySide } from './tests/test-steps.mjs';
import './ensure-lua.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '../..');
/** So many failed tests of a step are named below the table: who reads a log begins at its end. */
const FAILURES_SHOWN = 20;
const SLOWEST_SHOWN = 10;
const reports = mkdtempSync(join(tmpdir(), 'redrive-test-'));
/** @type {NodeJS.ProcessEnv} */
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
// Tests start servers of their own. They must never find the one that holds real jobs.
delete env.REDIS_URL;

/** @type {Set<import('./lib/children.mjs').Child>} */
const running = new Set();
/** What could not be had or built, and why. @type {Map<string, string>} */
const missing = new Map();
/** @type {{title: string, seconds: string, passed: number, failed: number, skipped: number, failures?: string[], times?: import('./tests/test-reports.mjs').FileTime[], note?: string}[]} */
const results = [];

/** @param {string} what @param {() => string} find */
function obtain(what, find) {
  try {
    console.log(`${what}: ${find()}`);
  } catch (error) {
    missing.set(what, /** @type {Error} */ (error).message);
    console.error(/** @type {Error} */ (error).message);
  }
}

/** @param {string[]} args @param {number} timeoutMs @param {NodeJS.ProcessEnv} [more] @param {number} [log] a file for the output @returns {Promise<boolean>} */
async function node(args, timeoutMs, more = {}, log) {
  const stdio = log === undefined ? 'inherit' : /** @type {const} */ (['ignore', log, log]);
  const child = startChild(process.execPath, args, {
    name: args[0],
    cwd: ROOT,
    env: { ...env, ...more },
    stdio,
  });
  running.add(child);
  try {
    const exit = await within(child.exited, timeoutMs, `${args.slice(0, 2).join(' ')} to end`);
    if (exit.code !== 0) console.error(`${args[0]} ${describeExit(exit)}.`);
    return exit.code === 0;
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    return false;
  } finally {
    await child.stop();
    running.delete(child);
  }
}

/** The output of `aside` steps appears when they have ended, so that it does not mix with that of another one. @param {import('./tests/test-steps.mjs').Step[]} aside @param {string[]} extra */
async function runAside(aside, extra) {
  const path = join(reports, 'aside.log');
  for (const step of aside) {
    const log = openSync(path, 'w');
    await runStep(step, extra, log);
    closeSync(log);
    console.log(readFileSync(path, 'utf8'));
  }
}

/** @param {import('./tests/test-steps.mjs').Step} step @param {string[]} extra @param {number} [log] a file for the output */
async function runStep(step, extra, log) {
  console.log(`\n━━ ${step.title} ━━`);
  const start = Date.now();
  const report = join(reports, `${step.name}.json`);
  const lacking = (step.needs ?? []).find((need) => missing.has(need));
  /** @type {import('./tests/test-reports.mjs').Counts} */
  let counts = { passed: 0, failed: 1, skipped: 0 };
  let note;
  if (lacking) {
    note = `not run: no ${lacking}`;
    console.error(`Not run, and so counted as failed: ${missing.get(lacking)}`);
  } else {
    let ended = true;
    for (const command of step.commands) {
      const json = step.runner === 'vitest' ? [`--outputFile.json=${report}`] : [];
      const args = [...command, ...json, ...(step.runner ? extra : [])];
      ended = ended && (await node(args, step.timeoutMs, { PLAYWRIGHT_JSON_OUTPUT_FILE: report }, log));
    }
    counts = countsOf(step, report, ended);
    if (step.name === 'build' && !ended) missing.set('build', 'the build failed.');
  }
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  results.push({ title: step.title, seconds, note, ...counts });
  console.log(`── ${step.title}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`);
}

/** A part run alone still needs what the steps before it would have left. @param {import('./tests/test-steps.mjs').Step[]} steps */
async function prepare(steps) {
  await installDeps(ROOT);
  const needs = new Set(steps.flatMap((step) => step.needs ?? []));
  if (needs.has('redis'))
    obtain('redis', () => {
      const { bin, env: found, how } = findServer();
      env.REDIS_SERVER_BIN = bin;
      if (found.LD_LIBRARY_PATH) env.LD_LIBRARY_PATH = found.LD_LIBRARY_PATH;
      return how;
    });
  if (needs.has('browser'))
    obtain('browser', () => {
      const { path, how } = findBrowser();
      env.REDRIVE_CHROMIUM = path;
      return how;
    });
  if (steps.some(({ name }) => name === 'build')) return;
  if (needs.has('build')) {
    if (!(await node(['scripts/build.mjs', '--if-changed'], 900_000)))
      missing.set('build', 'the build failed.');
  } else if (needs.has('worker') && !(await node(['scripts/build.mjs', '--worker'], 120_000)))
    missing.set('worker', 'the worker could not be built.');
}

async function main() {
  const { steps, extra } = chooseSteps(process.argv.slice(2));
  await prepare(steps);
  for (const { step, aside } of sideBySide(steps))
    await Promise.all([runStep(step, extra), runAside(aside, extra)]);

  console.log('');
  for (const { title, seconds, passed, failed, skipped, note } of results) {
    const rest = [skipped ? `${skipped} skipped` : '', note ?? ''].filter(Boolean).join(', ');
    console.log(
      `${failed ? '✗' : '✓'} ${title.padEnd(32)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.padStart(7)} s  ${rest}`,
    );
  }
  for (const { title, failures = [] } of results) {
    for (const name of failures.slice(0, FAILURES_SHOWN)) console.log(`  ${title}: ${name}`);
    if (failures.length > FAILURES_SHOWN)
      console.log(`  ${title}: and ${failures.length - FAILURES_SHOWN} more`);
  }
  const slowest = results.flatMap(({ times = [] }) => times).sort((a, b) => b.ms - a.ms);
  if (slowest.length > 0) console.log('\nThe slowest test files:');
  for (const { file, ms } of slowest.slice(0, SLOWEST_SHOWN))
    console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  if (!passed && !failed) console.error('Not one test ran, which proves nothing.');
  console.log(`${passed} passed, ${failed} failed`);
  return failed || !passed ? 1 : 0;
}

/** @param {number} code @returns {Promise<never>} */
async function end(code) {
  await Promise.all([...running].map((child) => child.stop({ graceMs: 3_000 }).catch(() => {})));
  rmSync(reports, { recursive: true, force: true });
  process.exit(code);
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
  process.on(signal, () => void end(130));
followNpm('test', () => void end(130));
main().then(end, (error) => {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  return end(1);
});
