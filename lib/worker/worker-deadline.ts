/** No await without an end. */
import { DeadlineList, withDeadline as raceDeadline } from '@/lib/broker/application';
import { RedriveError } from '@/lib/contract/redrive-error';

/** Beyond the broker's own deadline for a command, so that its more exact error comes first. */
export const CALL_DEADLINE_MS = 8_000;

/** @throws RedriveError UNKNOWN_OUTCOME when `promise` has not settled within `ms` */
export const withCallDeadline = <T>(promise: Promise<T>, ms: number, what: string): Promise<T> =>
  raceDeadline(promise, ms, () => lateError(what, ms));

const lateError = (what: string, ms: number) =>
  new RedriveError(
    'UNKNOWN_OUTCOME',
    `${what} was not answered within ${ms} ms: it may or may not have been done.`,
  );

/** A deadline for many calls with one timer, which a call a job would each pay for. */
export interface Deadlines {
  /** Calls one of the two back, once. `failed` gets an UNKNOWN_OUTCOME when the call has not settled in time; what comes later is ignored. */
  limit<T>(call: Promise<T>, what: string, done: (value: T) => void, failed: (error: unknown) => void): void;
}

export function createDeadlines(ms: number): Deadlines {
  const list = new DeadlineList(ms);
  return {
    limit(call, what, done, failed) {
      const limited = {
        isSettled: false,
        reject() {
          limited.isSettled = true;
          failed(lateError(what, ms));
        },
      };
      list.add(limited);
      const settle = (report: () => void) => {
        if (limited.isSettled) return;
        limited.isSettled = true;
        report();
      };
      call.then(
        (value) => settle(() => done(value)),
        (error: unknown) => settle(() => failed(error)),
      );
    },
  };
}

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
