/** The circuit breakers of a worker: one for each job type whose handler asks for one. */
import { isDeepStrictEqual } from 'node:util';
import type { WorkerReport } from '@/lib/broker/application';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { RedriveError } from '@/lib/contract/redrive-error';
import { Breaker, type BreakerOptions, type BreakerState, breakerOptionsSchema } from './circuit-breaker';
import type { Handler } from './handler';

/** A breaker that closed is shown for so long. */
const SHOWN_AFTER_MS = 60_000;

export interface BreakerRegistry {
  find(jobType: string): Breaker | undefined;
  /** Those that are not closed, or were not lately. @param nowMs Redis's clock */
  report(nowMs: number): WorkerReport['breakers'];
}

/** @throws RedriveError VALIDATION when the versions of a type do not agree */
export function createBreakerRegistry(
  handlers: readonly Pick<Handler, 'type' | 'breaker'>[],
  monotonicMs: () => number,
  onChange: (jobType: string, state: BreakerState) => void,
): BreakerRegistry {
  const options = new Map<string, BreakerOptions | false>();
  for (const { type, breaker = false } of handlers) {
    const known = options.get(type);
    // What they call is the same, so is whether it is up.
    if (known !== undefined && !isDeepStrictEqual(known, breaker))
      throw new RedriveError(
        'VALIDATION',
        `The handlers of ${type} share one circuit breaker: give each version the same \`breaker\` option.`,
      );
    options.set(type, breaker);
  }
  const byType = new Map<string, Breaker>();
  for (const [type, wanted] of options)
    if (wanted !== false) {
      const checked = parseOrThrow(breakerOptionsSchema, wanted, `breaker of ${type}`);
      byType.set(type, new Breaker(checked, monotonicMs, (state) => onChange(type, state)));
    }
  return {
    find: (jobType) => byType.get(jobType),
    report: (nowMs) =>
      [...byType].flatMap(([jobType, breaker]) => {
        const { state, failures, retryInMs, unchangedForMs } = breaker.view();
        if (state === 'closed' && unchangedForMs > SHOWN_AFTER_MS) return [];
        return [
          { jobType, state, failures, retryAt: retryInMs === null ? null : Math.round(nowMs + retryInMs) },
        ];
      }),
  };
}
