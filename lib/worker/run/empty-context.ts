import { AsyncResource } from 'node:async_hooks';

/** Made as the package loads: outside of every job and every request. */
const root = new AsyncResource('redrive');
const createScope = () => new AsyncResource('redrive.call');

/**
 * A scope that begins without a store in any AsyncLocalStorage, and keeps to itself what `enterWith` sets in it. `root` itself would
 * hand a store on to the next call, and a snapshot of `root` as well.
 */
export const emptyContext = (): AsyncResource => root.runInAsyncScope(createScope);

/** Calls a function of the application so that its context reaches nothing else, and nothing else reaches its context. */
export const callInEmptyContext = <A extends unknown[], R>(call: (...args: A) => R, ...args: A): R =>
  emptyContext().runInAsyncScope(call, undefined, ...args);
