'use client';
/** The live connection for React: one provider per tab, hooks for its state, and the server's clock. */
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Movement } from '@/lib/contract/live/live-frame';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { reauthGate } from '../access/reauth-gate';
import { usePrefetched } from '../api/hydration';
import { keys } from '../api/query-keys';
import { applyFrame, applySnapshots } from './apply-frame';
import { createLiveConnection, serverNowOf } from './live-connection';
import {
  createLiveStore,
  INITIAL_LIVE_STATE,
  type LiveState,
  type LiveStatus,
  type LiveStore,
} from './live-state';
import { tickerFor } from './shared-ticker';
import { fetchLab, fetchOverview, fetchWorkers } from './snapshot-requests';

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
      onSignedOut: () => void reauthGate.ask('sign-in'),
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
      if (reauthGate.asked() !== 'sign-in') connection.setVisible(document.visibilityState === 'visible');
    };
    // Without a session every request is refused, so polling is useless.
    const leaveGate = reauthGate.subscribe(() => {
      if (reauthGate.asked() === 'sign-in') connection.stop();
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

/** A part of the live state; renders only when that part changes. */
function useLivePart<T>(select: (state: LiveState) => T): T {
  const store = useLiveStore();
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.get()),
    () => select(INITIAL_LIVE_STATE),
  );
}

export const useLiveStatus = (): LiveStatus => useLivePart(({ status }) => status);

/** Why the last poll failed, as a sentence; null while data arrives. */
export const useLiveProblem = (): string | null => useLivePart(({ problem }) => problem);

/** The latest job movements, oldest first, at most 200; the same array until something moves. */
export const useMovements = (): readonly Movement[] => useLivePart(({ movements }) => movements);

/**
 * The server's time, updated every `intervalMs`; while the page hydrates, the time of the prefetched overview,
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

/** The server's clock as a stable function, for components with their own timer. */
export function useServerClock(): () => number {
  const store = useLiveStore();
  return useCallback(() => Date.now() + store.get().offsetMs, [store]);
}

function useLiveStore(): LiveStore {
  const store = useContext(LiveContext);
  if (store === null) throw new Error('Live hooks need a <LiveProvider> above them.');
  return store;
}
