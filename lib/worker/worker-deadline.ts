/** No await without an end. */
import { withDeadline as raceDeadline } from '@/lib/broker';
import { RedriveError } from '@/lib/contract/redrive-error';

/** Beyond the broker's own deadline for a command, so that its more exact error comes first. */
export const CALL_DEADLINE_MS = 8_000;

/** @throws RedriveError UNKNOWN_OUTCOME when `promise` has not settled within `ms` */
export const withCallDeadline = <T>(promise: Promise<T>, ms: number, what: string): Promise<T> =>
  raceDeadline(promise, ms, () => {
    const text = `${what} was not answered within ${ms} ms: it may or may not have been done.`;
    return new RedriveError('UNKNOWN_OUTCOME', text);
  });

export const isUnknownOutcome = (error: unknown): boolean =>
  error instanceof RedriveError && error.code === 'UNKNOWN_OUTCOME';

/** A sleep that `wake` cuts short. One sleeper at a time. */
export interface Sleeper {
  sleep(ms: number): Promise<void>;
  wake(): void;
}

export function createSleeper(): Sleeper {
  let end: () => void = () => undefined;
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => end(), ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    wake: () => end(),
  };
}
