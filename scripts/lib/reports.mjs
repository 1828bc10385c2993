/** Counts what a test runner reported. A runner that broke down before it reported counts as one failure, never as none. */
import { readFileSync } from 'node:fs';

/** @typedef {{passed: number, failed: number, skipped: number}} Counts */

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
  };
  return orBroken(counts, ended);
}

/** @param {string} path @param {boolean} ended @returns {Counts} */
export function playwrightCounts(path, ended) {
  const stats = readReport(path)?.stats;
  if (!stats) return orBroken({ passed: 0, failed: 0, skipped: 0 }, ended);
  return orBroken(
    { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped },
    ended,
  );
}
