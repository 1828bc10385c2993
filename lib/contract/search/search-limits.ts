/** Limits of searches and facets, and the ages that facets count by. */

/** Values shown a facet; the query takes any. */
export const FACET_MAX_VALUES = 200;
/** Ages that facets and previews count by: name, query term and text on screen. Each dead letter is in exactly one. */
export const AGE_BUCKETS = [
  { value: '<=5m', query: 'age:<=5m', label: 'under 5 min' },
  { value: '5m–1h', query: 'age:>5m age:<=1h', label: '5 min to 1 h' },
  { value: '1h–24h', query: 'age:>1h age:<=24h', label: '1 to 24 h' },
  { value: '1d–7d', query: 'age:>24h age:<=7d', label: '1 to 7 days' },
  { value: '>7d', query: 'age:>7d', label: 'over 7 days' },
] as const;

export const ageLabel = (value: string): string =>
  AGE_BUCKETS.find((bucket) => bucket.value === value)?.label ?? value;

/** Matches on a page at most. */
export const SEARCH_LIMIT_MAX = 500;
/** One bucket an hour, oldest first, the current hour last. */
export const GROUP_TREND_HOURS = 24;
/** The last hour in steps of five minutes, which end now. */
export const LAST_HOUR_STEPS = 12;
export const LAST_HOUR_STEP_MS = 300_000;

/** Jobs that one lookup, or one search for a reference, lists. */
export const FOUND_JOBS_MAX = 100;
/** Jobs that a search for a reference looks at, over all states. */
export const FIND_BUDGET_DEFAULT = 250_000;
export const FIND_BUDGET_MAX = 5_000_000;
