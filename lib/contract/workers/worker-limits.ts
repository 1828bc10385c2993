/** Limits and states of workers and of the schemas they report. */

/** Longer schemas are not reported. */
export const HANDLER_SCHEMA_MAX_CHARS = 4_096;
export const HANDLERS_MAX = 200;
export const HANDLER_VERSIONS_MAX = 100;
/** Jobs of an ended worker that are remembered. */
export const HELD_JOBS_MAX = 50;
export const WORKER_STATUSES = ['running', 'draining', 'lost', 'crashed', 'stopped'] as const;
export const BREAKER_STATES = ['closed', 'open', 'half-open'] as const;
