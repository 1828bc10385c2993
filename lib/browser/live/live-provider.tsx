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
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { usePrefetched } from '../api/hydration';
import { REFETCH_MS } from '../api/query-defaults';
import { keys } from '../api/query-keys';
import { reply } from '../api/reply-schemas';
import type { LiveSession } from './live-session';
import {
  createLiveStore,
  INITIAL_LIVE_STATE,
  type LiveState,
  type LiveStatus,
  type LiveStore,
  serverNowOf,
} from './live-state';
import { tickerFor } from './shared-ticker';
import type { NoSeat } from './stream-seats';
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
  useEffect(() => startWhenLoaded({ client, ...live }), [client, live]);
  return <LiveContext.Provider value={live}>{children}</LiveContext.Provider>;
}

/** The session's script and the schema of frames come after the page. Tried again until they are here; returns what ends it. */
function startWhenLoaded(parts: Omit<LiveSession, 'schema'>): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop: (() => void) | undefined;
  const load = () =>
    Promise.all([import('./live-session'), reply('frameSchema').load()]).then(
      ([{ startLiveSession }, schema]) => {
        if (!isOver) stop = startLiveSession({ ...parts, schema });
      },
      () => {
        if (isOver) return;
        parts.store.send({ type: 'poll-failed', problem: 'The console cannot be reached.' });
        timer = setTimeout(load, REFETCH_MS);
      },
    );
  void load();
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop?.();
  };
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

/** Why this tab reads numbers every 2 seconds and keeps no stream open; null: it may, or the stream is broken. */
export const useNoSeat = (): NoSeat | null => useLivePart(({ noSeat }) => noSeat);

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
