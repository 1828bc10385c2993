/** Counts what a test runner reported. A runner that broke down before it reported counts as one failure, never as none. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {string[]} [failures] which tests failed, by file and title
 * @property {FileTime[]} [times] how long each test file took
 */

/** @typedef {{file: string, ms: number}} FileTime */

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {Counts} counts @param {boolean} ended whether the runner itself ended well @returns {Counts} */
const orBroken = (counts, ended) => (ended || counts.failed ? counts : { ...counts, failed: 1 });

/** @param {string} path @param {boolean} ended @returns {Counts} */
export function vitestCounts(path, ended) {
  const report = readReport(path);
  if (!report) return orBroken({ passed: 0, failed: 0, skipped: 0 }, ended);
  // A file that cannot even be loaded has no tests to fail.
  const broken = report.testResults.filter(
    (/** @type {any} */ file) =>
      file.status === 'failed' &&
      !file.assertionResults.some((/** @type {any} */ test) => test.status === 'failed'),
  ).length;
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    ...named(report.testResults.flatMap(failuresOf)),
    times: report.testResults.map((/** @type {any} */ { name, startTime, endTime }) => ({
      file: relative(process.cwd(), name ?? ''),
      ms: endTime - startTime,
    })),
  };
  return orBroken(counts, ended);
}

/** @param {string[]} failures */
const named = (failures) => (failures.length > 0 ? { failures } : {});

/** @param {any} file of a report of vitest @returns {string[]} */
function failuresOf(file) {
  if (file.status !== 'failed') return [];
  const failed = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed');
  const path = relative(process.cwd(), file.name ?? '');
  return failed.length > 0
    ? failed.map((/** @type {any} */ test) => `${path} > ${test.fullName}`)
    : [`${path} could not be run: ${String(file.message).split('\n')[0]}`];
}

/** @param {any} suite of a report of Playwright @returns {string[]} */
const specsFailed = (suite) => [
  ...(suite.specs ?? [])
    .filter((/** @type {any} */ spec) =>
      spec.tests.some((/** @type {any} */ { status }) => status === 'unexpected' || status === 'flaky'),
    )
    .map((/** @type {any} */ spec) => `${spec.file}:${spec.line} > ${spec.title}`),
  ...(suite.suites ?? []).flatMap(specsFailed),
];

/** @param {any} suite of a report of Playwright @returns {number} */
const suiteMs = (suite) =>
  (suite.specs ?? [])
    .flatMap((/** @type {any} */ spec) => spec.tests.flatMap((/** @type {any} */ test) => test.results))
    .reduce((/** @type {number} */ sum, /** @type {any} */ result) => sum + result.duration, 0) +
  (suite.suites ?? []).reduce(
    (/** @type {number} */ sum, /** @type {any} */ inner) => sum + suiteMs(inner),
    0,
  );

/** @param {string} path @param {boolean} ended @returns {Counts} */
export function playwrightCounts(path, ended) {
  const report = readReport(path);
  const stats = report?.stats;
  if (!stats) return orBroken({ passed: 0, failed: 0, skipped: 0 }, ended);
  return orBroken(
    {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
      ...named((report.suites ?? []).flatMap(specsFailed)),
      times: (report.suites ?? []).map((/** @type {any} */ suite) => ({
        file: `e2e/${suite.file}`,
        ms: suiteMs(suite),
      })),
    },
    ended,
  );
}
