/** Limits and states of workers and of the schemas they report. */

/** Longer schemas are not reported. */
export const HANDLER_SCHEMA_MAX_CHARS = 4_096;
export const HANDLERS_MAX = 200;
export const HANDLER_VERSIONS_MAX = 100;
/** Jobs of an ended worker that are remembered. */
export const HELD_JOBS_MAX = 50;
export const WORKER_STATUSES = ['running', 'quiet', 'draining', 'lost', 'crashed', 'stopped'] as const;
/** Its process runs, as far as its reports say. `quiet` and `draining` ones claim no jobs. */
export const LIVE_STATUSES: ReadonlySet<string> = new Set(['running', 'quiet', 'draining']);
/** Requests of an operator to a worker. */
export const WORKER_ACTIONS = ['quiet', 'resume', 'stop'] as const;
/** As many as the registry holds. */
export const REQUESTED_WORKERS_MAX = 200;
export const BREAKER_STATES = ['closed', 'open', 'half-open'] as const;
/** Kinds of jobs that a worker reports because no worker knows them. */
export const UNKNOWN_JOBS_MAX = 20;
