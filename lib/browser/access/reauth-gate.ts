/**
 * Asks for a sign-in or re-authentication when an API answer requires it.
 * One dialog per tab asks; all requests refused for the same reason wait for it and are then sent again.
 */
import { createStore } from '../store';

export type AuthQuestion = 'sign-in' | 'reauthentication';

/** What an API error requires; null: neither. */
export function authQuestionOf(error: { status: number; code: string }): AuthQuestion | null {
  if (error.code === 'UNAUTHENTICATED') return 'sign-in';
  return error.code === 'REAUTHENTICATION_REQUIRED' ? 'reauthentication' : null;
}

export interface ReauthGate {
  /** Resolves with true once done; with false when declined, aborted by `signal`, or without a dialog. */
  ask(question: AuthQuestion, signal?: AbortSignal): Promise<boolean>;
  /** The open question; a sign-in comes first, because it also re-authenticates. */
  asked(): AuthQuestion | null;
  answer(question: AuthQuestion, done: boolean): void;
  subscribe(listener: () => void): () => void;
  /** A dialog is mounted until the returned function is called; waiting requests are then declined. */
  attend(): () => void;
}

interface Open {
  promise: Promise<boolean>;
  settle: (done: boolean) => void;
}

export function createReauthGate(): ReauthGate {
  const open = new Map<AuthQuestion, Open>();
  const question = createStore<AuthQuestion | null>(null);
  let attending = 0;
  const tell = () =>
    question.set(open.has('sign-in') ? 'sign-in' : open.has('reauthentication') ? 'reauthentication' : null);
  const close = (asked: AuthQuestion, done: boolean): void => {
    open.get(asked)?.settle(done);
    open.delete(asked);
  };
  function begin(asked: AuthQuestion): Open {
    let settle: (done: boolean) => void = () => undefined;
    const promise = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    open.set(asked, { promise, settle });
    tell();
    return { promise, settle };
  }
  return {
    async ask(asked, signal) {
      if (attending === 0 || signal?.aborted) return false;
      const { promise } = open.get(asked) ?? begin(asked);
      return signal ? Promise.race([promise, aborted(signal)]) : promise;
    },
    asked: question.get,
    answer(asked, done) {
      close(asked, done);
      // A sign-in also re-authenticates.
      if (asked === 'sign-in' && done) close('reauthentication', true);
      tell();
    },
    subscribe: question.subscribe,
    attend() {
      attending += 1;
      return () => {
        attending -= 1;
        if (attending > 0) return;
        close('sign-in', false);
        close('reauthentication', false);
        tell();
      };
    },
  };
}

const aborted = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));

/** The gate of this tab. */
export const reauthGate = createReauthGate();
