/** What becomes of job number n: one rule for the producer, the handlers and the operator. Pure. */
import type { EnqueueInput } from '@/lib/contract/jobs/envelope';

export const QUEUE = 'soak';
export const TENANTS = 500;
/** A few types, so that rows differ as they do in an application. */
export const TYPES = ['soak.mail', 'soak.sync', 'soak.report', 'soak.image'] as const;
export const CODES = 7;

export type Kind =
  | 'plain'
  | 'flaky'
  | 'busy'
  | 'doomed'
  | 'exhausted'
  | 'late'
  | 'delayed'
  | 'unique'
  | 'once';

/** Of a hundred jobs, how many are of each kind. */
export const MIX: Readonly<Record<Kind, number>> = {
  plain: 58,
  /** Fails once or twice, then succeeds. */
  flaky: 12,
  /** Is asked to come back later, then succeeds. */
  busy: 2,
  /** Fails for good at once. */
  doomed: 5,
  /** Fails until its attempts are used up. */
  exhausted: 3,
  /** Its deadline passes before it can be claimed. */
  late: 1,
  delayed: 8,
  /** Shares a uniqueness key with its neighbours, so that some are not entered. */
  unique: 10,
  /** Does its work through `ctx.once`. */
  once: 1,
};
const KINDS: readonly Kind[] = Object.entries(MIX).flatMap(([kind, share]) =>
  Array.from({ length: share }, () => kind as Kind),
);

/** Kinds are strewn over the line, not in runs of one kind: 37 has no factor in common with 100. */
export const kindOf = (n: number): Kind => KINDS[(n * 37) % 100] ?? 'plain';
export const idOf = (n: number): string => `s${n}`;
export const numberOf = (jobId: string): number => Number(jobId.slice(1));

const SCOPES = ['claimed', 'done', 'window'] as const;
const TEXT = 'a payload of the usual size, which is some hundred bytes or a little more than that: ';

export function jobOf(n: number, nowMs: number): EnqueueInput {
  const kind = kindOf(n);
  const round = Math.floor(n / 100);
  return {
    jobId: idOf(n),
    jobType: TYPES[n % TYPES.length] ?? TYPES[0],
    tenantId: `t-${n % TENANTS}`,
    priority: n % 50 === 0 ? 10 : 0,
    maxAttempts: kind === 'exhausted' ? 2 : 8,
    idempotencyKey: `order-${n}`,
    payload: JSON.stringify({ n, text: TEXT + n }),
    ...(kind === 'delayed' ? { delayMs: 100 + (n % 2_900) } : {}),
    ...(kind === 'late' ? { delayMs: 200, deadline: nowMs + 100 } : {}),
    ...(kind === 'unique'
      ? { unique: { key: `key-${round}-${n % 7}`, scope: SCOPES[n % 3] ?? 'done', ttlMs: 2_000 } }
      : {}),
  };
}

/** What a person does about a job that is dead. The first of them are left as they are: they are what is retained. */
export type Fate = 'redrive' | 'purge' | 'by-filter';
export function fateOf(n: number): Fate {
  const kind = kindOf(n);
  if (kind === 'late') return 'by-filter';
  return kind === 'doomed' && Math.floor(n / 100) % 2 === 0 ? 'redrive' : 'purge';
}
