import type { Worker } from './worker-types';

/** The workers of this process that a signal stops: it exits when the last of them has drained. */
const watched = new Set<Worker>();

/**
 * Drains on the first SIGTERM or SIGINT, or when an operator stops the worker from the console; hurries on the second signal; exits with 0
 * when drained. Returns how to undo it.
 */
export function stopOnSignals(worker: Worker, exit: (code: number) => void = process.exit): () => void {
  let asked = 0;
  let undone = false;
  watched.add(worker);
  const leave = () => {
    // The exit is part of the promise: whatever was given back while its handler ran must not go on running.
    if (watched.delete(worker) && watched.size === 0) exit(0);
  };
  const onSignal = () => {
    asked += 1;
    void worker.stop({ hurry: asked > 1 }).then(leave);
  };
  void worker.drained.then(() => {
    if (!undone && worker.state().stopRequested) leave();
  });
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return () => {
    undone = true;
    watched.delete(worker);
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
  };
}
