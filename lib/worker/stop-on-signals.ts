import { type Clock, SYSTEM_CLOCK, type Worker } from './worker-types';

/**
 * `npm` and `npx` pass on a Ctrl-C that the terminal has sent to the worker already, and a signal to a whole group arrives as often: measured
 * up to 14 ms apart. A signal this soon after the first is the same press.
 */
const SAME_PRESS_MS = 1_000;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
type Signal = (typeof SIGNALS)[number];

interface SignalSource {
  on(signal: Signal, listener: (signal: Signal) => void): unknown;
  off(signal: Signal, listener: (signal: Signal) => void): unknown;
  /** What the signal does without a listener. */
  raise(signal: Signal): void;
}

type StopOnSignals = (worker: Worker, exit?: (code: number) => void) => () => void;

/** One pair of listeners for all workers. A worker that has drained is forgotten. */
export function createStopOnSignals(source: SignalSource, clock: Pick<Clock, 'monotonicMs'>): StopOnSignals {
  /** Worker → its first or second press. */
  const watched = new Map<Worker, () => void>();
  let isListening = false;
  let pressedAtMs = Number.NEGATIVE_INFINITY;

  function listen(wanted: boolean): void {
    if (wanted === isListening) return;
    isListening = wanted;
    for (const signal of SIGNALS) source[wanted ? 'on' : 'off'](signal, onSignal);
  }

  function onSignal(signal: Signal): void {
    const nowMs = clock.monotonicMs();
    if (nowMs - pressedAtMs < SAME_PRESS_MS) return;
    pressedAtMs = nowMs;
    for (const press of watched.values()) press();
    if (watched.size > 0) return;
    // All have drained, and the exit that was called does not end the process.
    listen(false);
    source.raise(signal);
  }

  return (worker, exit = process.exit) => {
    let presses = 0;
    watched.set(worker, () => {
      presses += 1;
      void worker.stop({ hurry: presses > 1 });
    });
    listen(true);
    const forget = () => {
      watched.delete(worker);
      if (watched.size === 0) listen(false);
    };
    void worker.drained.then(() => {
      if (!watched.has(worker)) return;
      // The application stopped this worker, and knows how to go on.
      if (presses === 0 && !worker.state().stopRequested) return forget();
      watched.delete(worker);
      // The exit is part of the promise: whatever was given back while its handler ran must not go on running.
      if (watched.size === 0) exit(0);
    });
    return forget;
  };
}

/**
 * Drains on the first SIGTERM or SIGINT, or when an operator stops the worker from the console; hurries on a second signal, a second
 * or more later; exits with 0 when the last worker of the process has drained.
 * @param exit called with 0 instead of `process.exit`; the process must end in it
 * @returns how to undo it
 */
export const stopOnSignals: StopOnSignals = createStopOnSignals(
  {
    on: (signal, listener) => process.on(signal, listener),
    off: (signal, listener) => process.off(signal, listener),
    raise: (signal) => process.kill(process.pid, signal),
  },
  SYSTEM_CLOCK,
);
