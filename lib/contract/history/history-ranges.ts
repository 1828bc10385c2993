/** What a chart of the past can show. Without zod: the browser uses it. */

const MINUTE_MS = 60_000;
export const RANGES = {
  '15m': { label: '15 m', words: '15 minutes', ms: 15 * MINUTE_MS },
  '1h': { label: '1 h', words: 'hour', ms: 60 * MINUTE_MS },
  '6h': { label: '6 h', words: '6 hours', ms: 360 * MINUTE_MS },
  '24h': { label: '24 h', words: '24 hours', ms: 1_440 * MINUTE_MS },
  '7d': { label: '7 d', words: '7 days', ms: 10_080 * MINUTE_MS },
} as const;
export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as [RangeName, ...RangeName[]];

/** Rows of minutes are kept for so long; older ones are of ten minutes each. */
export const MINUTES_KEPT_MS = 1_440 * MINUTE_MS;
export const HISTORY_KEPT_MS = RANGES['7d'].ms;
/** More minutes are merged into steps. */
export const POINTS_MAX = 720;
export const MARKS_MAX = 100;
/** Redis keeps so many marks of deploys; beyond, the user with most marks loses the oldest. */
export const DEPLOY_MARKS_KEPT = 1_000;
export const MARK_QUEUES_MAX = 50;

export const DEPTHS = ['ready', 'inFlight', 'scheduled', 'retry', 'held', 'dead'] as const;
export const COUNTS = ['arrivals', 'completed', 'failed', 'lost', 'died'] as const;
export const PERCENTILES = ['p50', 'p95', 'p99'] as const;
/** Waits of a minute and more are counted together, so an estimate of one goes no further. */
export const LONGEST_MS = 60_000;

export const MARK_KINDS = ['pause', 'operation', 'settings', 'crash', 'deploy', 'alert'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];
