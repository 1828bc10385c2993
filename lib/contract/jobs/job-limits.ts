/** Limits and defaults of jobs, claims and work that runs once. */
import { DAY_MS } from '../time-units';

export const ENVELOPE_VERSION = 1;
export const PAYLOAD_MAX_BYTES = 64 * 1024;
export const PRIORITY_MIN = -1000;
export const PRIORITY_MAX = 1000;
export const ENQUEUE_MAX_JOBS = 1_000;
export const DEFAULT_MAX_ATTEMPTS = 8;
/** Far enough for any schedule, near enough that a time in microseconds is caught as the mistake it is. */
export const TIME_MAX_MS = Date.UTC(2200, 0, 1);
export const UNIQUE_SCOPES = ['claimed', 'done', 'window'] as const;
/** Longer than most jobs, and short enough that jobs of a crashed worker run again within a quarter of a minute. */
export const LEASE_DEFAULT_MS = 15_000;
export const CLAIM_MAX_JOBS = 500;
export const CLAIM_TOKEN_PATTERN = /^\d{1,15}-[0-9A-Za-z]{8,32}$/;
export const ONCE_TTL_DEFAULT_MS = DAY_MS;
/** Longer results are not stored; the work still counts as done. */
export const ONCE_RESULT_MAX_BYTES = 16_384;

/** W3C trace context of version 00. */
export const TRACE_PARENT_PATTERN = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
