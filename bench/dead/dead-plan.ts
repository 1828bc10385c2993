/** The dead letters the bench is about: a large incident, the same on every machine. */

import type { Failure } from '@/lib/contract/jobs/claim-options';
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';

export const QUEUE = 'incident';
export const TYPES = 20;
export const TENANTS = 500;
/** Two kinds of failure a type: 40 groups. */
const KINDS = [
  { errorClass: 'retryable', errorCode: 'HTTP_503', words: 'upstream answered 503 for request' },
  { errorClass: 'permanent', errorCode: 'ACCOUNT_CLOSED', words: 'the account is closed, order' },
] as const;
/** What an operator looks for: so many payloads among all name it. */
export const NEEDLE = 'blue-heron-4711';
export const NEEDLES = 12;
/** Deaths are spread over this long, up to now. */
export const SPREAD_MS = 7 * 86_400_000;

export const typeOf = (n: number): string => `incident.step-${String(n % TYPES).padStart(2, '0')}`;
/** Multiplied by a prime, so that neither types nor kinds of failure go with certain tenants. */
export const tenantOf = (n: number): string =>
  `tenant-${String((Math.floor(n / TYPES) * 7_919) % TENANTS).padStart(3, '0')}`;

export function isNeedle(n: number, total: number): boolean {
  const apart = Math.floor(total / NEEDLES);
  return n % apart === 7 && n < apart * NEEDLES;
}

export function jobOf(n: number, total: number): EnqueueInput {
  const payload = {
    order: { id: 100_000_000 + n, cents: (n * 37) % 100_000 },
    customer: `customer-${n % 9_973}@example.com`,
    note: `delivery ${isNeedle(n, total) ? NEEDLE : `grey-gull-${(n * 7_919) % 10_007}`} left with a neighbour`,
    pad: 'x'.repeat(60),
  };
  return {
    jobId: `incident-${String(n).padStart(8, '0')}`,
    jobType: typeOf(n),
    tenantId: tenantOf(n),
    maxAttempts: 1,
    payload: JSON.stringify(payload),
  };
}

/** As a handler would report it: every message names something else, and still they are forty groups. */
export function failureOf(n: number): Failure {
  const { errorClass, errorCode, words } = KINDS[Math.floor(n / TYPES / TENANTS) % 2 === 0 ? 0 : 1];
  return {
    again: false,
    errorClass,
    errorCode,
    message: `${words} ${100_000_000 + n}`,
    stack: `Error: ${words} ${100_000_000 + n}\n    at send (/srv/app/src/handlers/step.ts:${(n % 90) + 10}:13)\n    at run (/srv/app/src/worker.ts:41:7)`,
  };
}
