/** Holds the live state outside React, for `useSyncExternalStore`. */
import type { LiveEvent, LiveState } from './live-state';
import { INITIAL_LIVE_STATE, reduceLive } from './live-state';

export interface LiveStore {
  get(): LiveState;
  send(event: LiveEvent): void;
  subscribe(listener: () => void): () => void;
}

export function createLiveStore(): LiveStore {
  let state = INITIAL_LIVE_STATE;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    send(event) {
      const next = reduceLive(state, event);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
