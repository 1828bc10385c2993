'use client';
/** The live connection for React: one provider a tab, hooks for its state, and the server's clock. */
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Movement } from '@/lib/contract/live';
import type { Overview } from '@/lib/contract/queue';
import { applyFrame, applySnapshots } from './apply-frame';
import { fetchLab, fetchOverview, fetchWorkers } from './fetchers';
import { keys } from './keys';
import { createLiveConnection, serverNowOf } from './live-connection';
import type { LiveState, LiveStatus } from './live-state';
import { INITIAL_LIVE_STATE } from './live-state';
import type { LiveStore } from './live-store';
import { createLiveStore } from './live-store';
import { personGate } from './person-gate';
import { usePrefetched } from './prefetched';
import { tickerFor } from './ticker';

export type { LiveState, LiveStatus } from './live-state';

const LiveContext = createContext<LiveStore | null>(null);

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [store] = useState(createLiveStore);
  useEffect(() => {
    const connection = createLiveConnection({
      store,
      openStream: (url) => new EventSource(url),
      onFrame: (frame) => applyFrame(client, frame),
      onSignedOut: () => void personGate.ask('sign-in'),
      poll: async (signal) => {
        const [overview, workers, lab] = await Promise.allSettled([
          fetchOverview(signal),
          fetchWorkers(signal),
          fetchLab(signal),
        ]);
        if (overview.status === 'rejected') throw overview.reason;
        if (signal.aborted) return overview.value;
        applySnapshots(client, {
          overview: overview.value,
          workers: workers.status === 'fulfilled' ? workers.value : undefined,
          lab: lab.status === 'fulfilled' ? lab.value : undefined,
        });
        return overview.value;
      },
    });
    const onVisibility = () => {
      if (personGate.asked() !== 'sign-in') connection.setVisible(document.visibilityState === 'visible');
    };
    // While nobody is signed in there is nothing to be had, and asking for it every two seconds would not change that.
    const leaveGate = personGate.subscribe(() => {
      if (personGate.asked() === 'sign-in') connection.stop();
      else onVisibility();
    });
    connection.start();
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('online', connection.nudge);
    return () => {
      leaveGate();
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('online', connection.nudge);
      connection.stop();
    };
  }, [client, store]);
  return <LiveContext.Provider value={store}>{children}</LiveContext.Provider>;
}

/** The whole state; renders once a frame. Prefer the narrower hooks below where they do. */
export function useLive(): LiveState {
  const store = useLiveStore();
  return useSyncExternalStore(store.subscribe, store.get, () => INITIAL_LIVE_STATE);
}

/** Renders only when the status changes. */
export function useLiveStatus(): LiveStatus {
  const store = useLiveStore();
  return useSyncExternalStore(
    store.subscribe,
    () => store.get().status,
    () => INITIAL_LIVE_STATE.status,
  );
}

/** The latest movements of jobs, oldest first, at most 200; the same array until something moves. */
export function useMovements(): readonly Movement[] {
  const store = useLiveStore();
  return useSyncExternalStore(
    store.subscribe,
    () => store.get().movements,
    () => INITIAL_LIVE_STATE.movements,
  );
}

/**
 * The server's time, renewed every `intervalMs`. While the page hydrates it is the time of the prefetched overview,
 * so that server and browser render the same ages.
 */
export function useServerNow(intervalMs = 1_000): number {
  const store = useLiveStore();
  const ticker = tickerFor(intervalMs);
  const prefetched = usePrefetched<Overview>(keys.overview());
  const hydrating = () => (prefetched ? serverNowOf(prefetched) : 0);
  const serverNow = () => ticker.now() + store.get().offsetMs;
  return useSyncExternalStore(ticker.subscribe, serverNow, hydrating);
}

/** The server's clock as a function of a stable identity, for a component library that ticks by itself. */
export function useServerClock(): () => number {
  const store = useLiveStore();
  return useCallback(() => Date.now() + store.get().offsetMs, [store]);
}

function useLiveStore(): LiveStore {
  const store = useContext(LiveContext);
  if (store === null) throw new Error('Live hooks need a <LiveProvider> above them.');
  return store;
}
