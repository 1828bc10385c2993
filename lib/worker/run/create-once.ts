/** Work that must not be done twice, though jobs may run twice: the first run does it, later ones get what it returned. */

import { randomBytes } from 'node:crypto';
import type { OnceKept, OnceVerbs } from '@/lib/broker/application';
import { ONCE_RESULT_MAX_BYTES } from '@/lib/contract/jobs/job-limits';
import { onceScopeSchema, onceTimesSchema } from '@/lib/contract/jobs/once-options';
import { RECONNECT_POLICY, retryDelayMs } from '@/lib/contract/jobs/retry-policy';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import { CALL_DEADLINE_MS, withCallDeadline } from '../worker-deadline';
import { type Logger, SILENT } from '../worker-types';
import { OnceInProgressError, OnceResultLostError } from './job-errors';
import { renewOnceLease } from './once-lease';

export interface OnceOptions {
  /** How long the outcome is remembered. Default a day. */
  readonly ttlMs?: number;
  /** How long a run that died keeps the next one waiting; renewed while it lives. Default 30 s. */
  readonly leaseMs?: number;
}
export interface OnceRun {
  /** Fires when the run must end: the job's own signal did, the lease was lost, or it took too long. */
  readonly signal: AbortSignal;
}
export interface OnceResult<T> {
  /** What `fn` returned; of an earlier run, as JSON brought it back (a Date is a text). */
  readonly value: T;
  /** It was an earlier run's. */
  readonly reused: boolean;
}
export type Once = <T>(
  key: string,
  fn: (run: OnceRun) => T | Promise<T>,
  options?: OnceOptions,
) => Promise<OnceResult<T>>;

export interface OnceDeps {
  /** Keeps apart equal keys of different kinds of work. Handlers get the type of their job. Default `app`. */
  readonly scope?: string;
  readonly signal?: AbortSignal;
  /** Nothing renews a lease for longer: a run that hangs must not block the others for ever. Default 15 minutes. */
  readonly maxRunMs?: number;
  readonly logger?: Logger;
}
const MAX_RUN_MS = 15 * 60_000;
/** Work whose end did not reach Redis would be done again: worth some patience. */
const FINISH_WITHIN_MS = 30_000;

/**
 * @example const once = createOnce(broker, { scope: 'billing' });
 *          const { value: receipt, reused } = await once(`charge ${invoiceId}`, () => gateway.charge(invoiceId));
 *
 * At most one run of a key is under way, and none starts once one succeeded, for `ttlMs`. A run that throws may be repeated at
 * once; one that dies with its process, after `leaseMs`. What a dead run had already done is then done again: where that
 * matters, write the effect and a mark of it in one transaction of the store the effect goes to.
 *
 * @throws OnceInProgressError another run has it right now
 * @throws OnceResultLostError it is done, but what it returned was too long, or no JSON
 */
export function createOnce(broker: { readonly once: OnceVerbs }, deps: OnceDeps = {}): Once {
  const scope = parseOrThrow(onceScopeSchema, deps.scope ?? 'app', 'scope');
  const { logger = SILENT, maxRunMs = MAX_RUN_MS } = deps;

  return async (key, fn, options = {}) => {
    const times = parseOrThrow(onceTimesSchema, options, 'once options');
    const ref = { scope, key, token: randomBytes(16).toString('hex') };
    const askedAtMs = performance.now();
    // The same call again is harmless: it names its token.
    const begun = await persistently(() => broker.once.begin(ref, times), 'once', CALL_DEADLINE_MS);
    if (begun.outcome === 'busy') throw new OnceInProgressError(key, begun.leaseLeftMs);
    if (begun.outcome === 'done') return { value: earlierValue(key, begun.kept), reused: true };

    const lease = renewOnceLease({
      renew: () => broker.once.begin(ref, times, true),
      leaseMs: times.leaseMs,
      leaseEndsAtMs: askedAtMs + times.leaseMs,
      maxRunMs,
      signal: deps.signal,
    });
    try {
      const value = await fn({ signal: lease.signal });
      lease.stop();
      const kept = keep(value);
      if (kept.kind === 'lost') logger.warn({ scope, why: kept.why }, 'the result of once was not kept');
      const patienceMs = Math.min(FINISH_WITHIN_MS, times.leaseMs);
      const recorded = await persistently(
        () => broker.once.finish(ref, kept, times.ttlMs),
        'once',
        patienceMs,
      ).catch((error: unknown) => {
        // The work is done: failing now would only have it done again.
        const errorCode = error instanceof RedriveError ? error.code : undefined;
        logger.warn({ scope, errorCode }, 'what once did could not be recorded; it may be done again');
        return true;
      });
      if (!recorded) logger.warn({ scope }, 'another run did the work of once as well: the lease was lost');
      return { value, reused: false };
    } catch (error) {
      lease.stop();
      // Best effort: else the lease runs out.
      await withCallDeadline(broker.once.cancel(ref), CALL_DEADLINE_MS, 'once').catch(() => undefined);
      throw error;
    }
  };
}

function earlierValue<T>(key: string, kept: OnceKept): T {
  if (kept.kind === 'lost') throw new OnceResultLostError(key, kept.why);
  return (kept.kind === 'json' ? JSON.parse(kept.json) : undefined) as T;
}

function keep(value: unknown): OnceKept {
  try {
    const json = JSON.stringify(value);
    if (json === undefined) return { kind: 'none' };
    const bytes = Buffer.byteLength(json);
    if (bytes <= ONCE_RESULT_MAX_BYTES) return { kind: 'json', json };
    const why = `it has ${bytes} bytes as JSON, and at most ${ONCE_RESULT_MAX_BYTES} are kept. Return a reference to it.`;
    return { kind: 'lost', why };
  } catch {
    return { kind: 'lost', why: 'it cannot be written as JSON. Return plain data.' };
  }
}

/** Again and again while Redis does not answer, at least once and for `withinMs` at most. */
async function persistently<T>(call: () => Promise<T>, what: string, withinMs: number): Promise<T> {
  const endsAtMs = performance.now() + withinMs;
  for (let failures = 1; ; failures++) {
    try {
      return await withCallDeadline(call(), CALL_DEADLINE_MS, what);
    } catch (error) {
      const delayMs = retryDelayMs(failures, RECONNECT_POLICY, Math.random);
      const hopeless = !(error instanceof RedriveError) || error.code === 'VALIDATION';
      if (hopeless || performance.now() + delayMs >= endsAtMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}
