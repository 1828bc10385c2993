/** Units of time in ms, for limits. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const MONTH_MS = 30 * DAY_MS;
/** A leap year. */
export const YEAR_MS = 366 * DAY_MS;
