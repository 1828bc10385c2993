import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createStopOnSignals } from './stop-on-signals';
import type { Worker } from './worker-types';

/** A worker that drains when the test says so. */
function fakeWorker() {
  const stops: boolean[] = [];
  let markDrained: () => void = () => undefined;
  let stopRequested = false;
  const drained = new Promise<void>((resolve) => {
    markDrained = resolve;
  });
  const worker = {
    drained,
    stop: ({ hurry = false } = {}) => {
      stops.push(hurry);
      return drained;
    },
    state: () => ({ stopRequested }),
  } as unknown as Worker;
  const drain = (asked = false) => {
    stopRequested = asked;
    markDrained();
    return drained;
  };
  return { worker, stops, drain };
}

function signals() {
  const emitter = new EventEmitter();
  const raised: string[] = [];
  const exits: number[] = [];
  let nowMs = 0;
  const stopOnSignals = createStopOnSignals(
    {
      on: (signal, listener) => emitter.on(signal, listener),
      off: (signal, listener) => emitter.off(signal, listener),
      raise: (signal) => void raised.push(signal),
    },
    { monotonicMs: () => nowMs },
  );
  return {
    watch: (worker: Worker) => stopOnSignals(worker, (code) => exits.push(code)),
    send(signal: 'SIGINT' | 'SIGTERM', afterMs = 0) {
      nowMs += afterMs;
      emitter.emit(signal, signal);
    },
    listeners: () => emitter.listenerCount('SIGINT') + emitter.listenerCount('SIGTERM'),
    raised,
    exits,
  };
}

describe('signals', () => {
  it('stop once, though npm, a shell and the terminal each deliver theirs', async () => {
    const { watch, send, exits } = signals();
    const one = fakeWorker();
    watch(one.worker);
    send('SIGINT');
    send('SIGINT', 14);
    send('SIGTERM', 900);
    expect(one.stops).toEqual([false]);
    await one.drain();
    expect(exits).toEqual([0]);
  });

  it('hurry when they come a second apart', () => {
    const { watch, send } = signals();
    const one = fakeWorker();
    watch(one.worker);
    send('SIGINT');
    send('SIGINT', 1_000);
    expect(one.stops).toEqual([false, true]);
  });

  it('reach all workers; the exit comes with the last of them', async () => {
    const { watch, send, exits } = signals();
    const workers = Array.from({ length: 3 }, fakeWorker);
    for (const { worker } of workers) watch(worker);
    send('SIGTERM');
    for (const { drain } of workers) {
      expect(exits).toEqual([]);
      await drain();
    }
    expect(exits).toEqual([0]);
  });

  it('an operator stops a worker: the process exits, without a signal', async () => {
    const { watch, exits } = signals();
    const one = fakeWorker();
    watch(one.worker);
    await one.drain(true);
    expect(exits).toEqual([0]);
  });

  it('fifty workers share two listeners, and leave none when the application has stopped them', async () => {
    const { watch, listeners, exits } = signals();
    const workers = Array.from({ length: 50 }, fakeWorker);
    for (const { worker } of workers) watch(worker);
    expect(listeners()).toBe(2);
    for (const { drain } of workers) await drain();
    expect(listeners()).toBe(0);
    expect(exits).toEqual([]);
  });

  it('are undone', () => {
    const { watch, send, listeners } = signals();
    const one = fakeWorker();
    const undo = watch(one.worker);
    const other = fakeWorker();
    const undoOther = watch(other.worker);
    undo();
    send('SIGINT');
    expect(one.stops).toEqual([]);
    expect(other.stops).toEqual([false]);
    undoOther();
    expect(listeners()).toBe(0);
  });

  it('end a process whose exit does not, and not by the second half of the first press', async () => {
    const { watch, send, raised, listeners } = signals();
    const one = fakeWorker();
    watch(one.worker);
    send('SIGINT');
    await one.drain();
    send('SIGINT', 14);
    expect(raised).toEqual([]);
    send('SIGINT', 2_000);
    expect(raised).toEqual(['SIGINT']);
    expect(listeners()).toBe(0);
  });
});
