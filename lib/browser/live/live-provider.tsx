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
import type { frameSchema, Movement } from '@/lib/contract/live/live-frame';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { reauthGate } from '../access/reauth-gate';
import { usePrefetched } from '../api/hydration';
import { REFETCH_MS } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
import { applyFrame, applySnapshots } from './apply-frame';
import { createFrameReader } from './frame-reader';
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
import { createWatchedQueues, type WatchedQueues } from './watched-queues';

export type { LiveState, LiveStatus } from './live-state';

interface Live {
  readonly store: LiveStore;
  readonly queues: WatchedQueues;
}
const LiveContext = createContext<Live | null>(null);

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [live] = useState<Live>(() => ({ store: createLiveStore(), queues: createWatchedQueues() }));
  const schema = useFrameSchema(live.store);
  useEffect(() => {
    if (schema === null) return;
    const { store, queues } = live;
    const connection = createLiveConnection({
      store,
      openStream: (url) => new EventSource(url),
      createReader: () => createFrameReader(schema),
      watched: queues.names,
      onFrame: (frame, watched) => applyFrame(client, frame, watched),
      onSignedOut: () => void reauthGate.ask('sign-in'),
      poll: async (signal) => {
        const [overview, workers, lab] = await Promise.allSettled([
          fetchOverview(signal),
          fetchWorkers(signal),
          fetchLab(signal),
        ]);
        if (overview.status === 'rejected') throw overview.reason;
        if (signal.aborted) return overview.value;
        for (const name of queues.names())
          void client.invalidateQueries({ queryKey: keys.queueNumbers(name) });
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
    const leaveQueues = queues.subscribe(connection.rewatch);
    return () => {
      leaveGate();
      leaveQueues();
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('online', connection.nudge);
      connection.stop();
    };
  }, [client, live, schema]);
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}

/** The schema of frames, which comes with that of every reply; null until it is here. */
function useFrameSchema(store: LiveStore): typeof frameSchema | null {
  const [schema, setSchema] = useState<typeof frameSchema | null>(null);
  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const load = () =>
      reply('frameSchema')
        .load()
        .then((loaded) => {
          if (!isOver) setSchema(() => loaded);
        })
        .catch(() => {
          if (isOver) return;
          store.send({ type: 'poll-failed', problem: 'The console cannot be reached.' });
          timer = setTimeout(load, REFETCH_MS);
        });
    void load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [store]);
  return schema;
}

/** While the component is on show, the stream carries every number of these queues. Pass the same array each time. */
export function useWatchedQueues(names: readonly string[]): void {
  const { queues } = useLive();
  useEffect(() => queues.watch(names), [queues, names]);
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

const useLiveStore = (): LiveStore => useLive().store;

function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === null) throw new Error('Live hooks need a <LiveProvider> above them.');
  return live;
}
