/**
 * When an answer asks for a person: nobody is signed in any more, or something destructive wants to know once more who it is.
 * One dialog a tab asks. Every request that met the same question waits for that dialog, and is then sent once more.
 */

export type Question = 'sign-in' | 'proof';

/** What an error of the API asks for; null: nothing that a person could give. */
export function questionOf(error: { status: number; code: string }): Question | null {
  if (error.code === 'UNAUTHENTICATED') return 'sign-in';
  return error.code === 'PROOF_NEEDED' ? 'proof' : null;
}

export interface PersonGate {
  /** Resolves with true once the person did it; false: they declined, `signal` aborted, or no dialog is there to ask. */
  ask(question: Question, signal?: AbortSignal): Promise<boolean>;
  /** What is asked now. To be signed in comes first: it is a proof as well. */
  asked(): Question | null;
  answer(question: Question, done: boolean): void;
  subscribe(listener: () => void): () => void;
  /** A dialog is there to ask, until the returned function is called: then whoever waits is told no. */
  attend(): () => void;
}

interface Open {
  promise: Promise<boolean>;
  settle: (done: boolean) => void;
}

export function createPersonGate(): PersonGate {
  const open = new Map<Question, Open>();
  const listeners = new Set<() => void>();
  let attending = 0;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const close = (question: Question, done: boolean): void => {
    const waiting = open.get(question);
    if (!waiting) return;
    open.delete(question);
    waiting.settle(done);
  };
  function begin(question: Question): Open {
    let settle: (done: boolean) => void = () => undefined;
    const promise = new Promise<boolean>((resolve) => {
      settle = resolve;
    });
    const waiting = { promise, settle };
    open.set(question, waiting);
    tell();
    return waiting;
  }
  return {
    async ask(question, signal) {
      if (attending === 0 || signal?.aborted) return false;
      const { promise } = open.get(question) ?? begin(question);
      return signal ? Promise.race([promise, aborted(signal)]) : promise;
    },
    asked: () => (open.has('sign-in') ? 'sign-in' : open.has('proof') ? 'proof' : null),
    answer(question, done) {
      close(question, done);
      // Whoever just signed in has proved who they are.
      if (question === 'sign-in' && done) close('proof', true);
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    attend() {
      attending += 1;
      return () => {
        attending -= 1;
        if (attending > 0) return;
        close('sign-in', false);
        close('proof', false);
        tell();
      };
    },
  };
}

const aborted = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(false), { once: true }));

/** The one of this tab. */
export const personGate = createPersonGate();
