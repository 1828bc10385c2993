import type { Worker } from './worker-types';

/** Drains on the first SIGTERM or SIGINT, hurries on the second, and exits when drained. Returns how to undo it. */
export function stopOnSignals(worker: Worker, exit: (code: number) => void = process.exit): () => void {
  let asked = 0;
  const onSignal = () => {
    asked += 1;
    // The exit is part of the promise: whatever was given back while its handler ran must not go on running.
    void worker.stop({ hurry: asked > 1 }).then(() => exit(0));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return () => {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
  };
}
