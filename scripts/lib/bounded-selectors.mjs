/**
 * The package `reselect` as the charts get it (next.config.js): its own memoization keeps what it computed for every range the charts ever
 * showed, over a megabyte a minute on an open overview. Here each selector forgets after so many results.
 */
// @ts-expect-error: by its path, since its name leads here; the package has no types for it
import { createSelectorCreator, weakMapMemoize } from '../../node_modules/reselect/dist/reselect.mjs';

// @ts-expect-error
export * from '../../node_modules/reselect/dist/reselect.mjs';

/** More than all charts of a page ask one selector for in one state. */
const RESULTS_MAX = 100;

/** @param {(...args: unknown[]) => unknown} compute @param {unknown} options */
function boundedMemoize(compute, options) {
  let results = 0;
  const memoized = weakMapMemoize((/** @type {unknown[]} */ ...args) => {
    results += 1;
    return compute(...args);
  }, options);
  const bounded = (/** @type {unknown[]} */ ...args) => {
    if (results >= RESULTS_MAX) {
      results = 0;
      memoized.clearCache();
    }
    return memoized(...args);
  };
  return Object.assign(bounded, {
    clearCache: memoized.clearCache,
    resultsCount: memoized.resultsCount,
    resetResultsCount: memoized.resetResultsCount,
  });
}

export const createSelector = createSelectorCreator({ memoize: boundedMemoize, argsMemoize: boundedMemoize });
