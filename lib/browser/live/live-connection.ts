/**
 * Keeps an event stream of the tab open, polls while the stream is silent, and stops both while the tab is hidden. A tab without a seat
 * opens a stream for one frame, again and again. Stream, clock and visibility are passed in, so that tests need no browser.
 */

import { paths } from '@/lib/contract/api-paths';
import { errorText } from '@/lib/contract/describe-error';
import type { Frame } from '@/lib/contract/live/live-frame';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { ApiError, withQuery } from '../api/api-client';
import { REFETCH_MS } from '../api/query-defaults';
import type { FrameReader } from './frame-reader';
import { type LiveStore, reconnectDelay, serverNowOf } from './live-state';
import type { StreamSeats } from './stream-seats';

export const STREAM_TIMEOUT_MS = 5_000;
/** Soon: the connection of a hidden tab is wanted by those on show. */
export const HIDDEN_MS = 5_000;

export interface StreamLike {
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void;
  close(): void;
}

export interface LiveConnectionOptions {
  store: LiveStore;
  openStream: (url: string) => StreamLike;
  /** Which tabs of this browser may keep a stream open. */
  seats: StreamSeats;
  /** For each stream a new one. */
  createReader: () => FrameReader;
  /** Queues that the stream is to carry every number of. */
  watched: () => readonly string[];
  /** Reads what the stream carries into the cache; returns the overview or throws. */
  poll: (signal: AbortSignal) => Promise<Overview>;
  onFrame: (frame: Frame, watched: readonly string[]) => void;
  /** The session ended, so nothing is requested until `start`. */
  onSignedOut: () => void;
  now?: () => number;
  random?: () => number;
}

export interface LiveConnection {
  start(): void;
  stop(): void;
  /** Passes on whether the tab is visible. */
  setVisible(visible: boolean): void;
  /** Reconnects, because other queues are watched. */
  rewatch(): void;
  /** Reconnects now, for example when the network is back. */
  nudge(): void;
}

export function createLiveConnection(options: LiveConnectionOptions): LiveConnection {
  const { store, now = Date.now, random = Math.random } = options;
  let stream: StreamLike | null = null;
  let polling: AbortController | null = null;
  let attempts = 0;
  let heardAtMs = 0;
  let running = false;
  let hasSeat = true;
  const timers: Record<'silence' | 'reconnect' | 'hidden', ReturnType<typeof setTimeout> | undefined> = {
    silence: undefined,
    reconnect: undefined,
    hidden: undefined,
  };

  /** @param since from when on silence counts */
  function connect(since = now()): void {
    closeStream();
    heardAtMs = since;
    const watched = options.watched();
    const opened = options.openStream(withQuery(paths.stream(), { watch: watched.join(',') }));
    const reader = options.createReader();
    stream = opened;
    for (const type of ['frame', 'change'] as const)
      opened.addEventListener(type, (event) => {
        if (stream === opened) receive(reader.read(type, event.data), watched);
      });
    opened.addEventListener('signed-out', () => {
      if (stream !== opened) return;
      letGo();
      options.onSignedOut();
    });
    opened.addEventListener('error', () => {
      if (stream === opened) lose();
    });
    watch();
  }

  function receive(frame: Frame | null, watched: readonly string[]): void {
    // Nothing that follows can be read, either: the next stream begins with a whole frame.
    if (frame === null) {
      lose();
      return;
    }
    attempts = 0;
    heardAtMs = now();
    stopPolling();
    const noSeat = options.seats.take();
    hasSeat = noSeat === null;
    if (hasSeat) watch();
    else {
      closeStream();
      // Tabs that come back at different times do not take one seat together.
      connectIn(REFETCH_MS * (1 + random() / 4));
    }
    options.onFrame(frame, watched);
    store.send({ type: 'frame', now: now(), serverNow: serverNowOf(frame.overview), noSeat });
  }

  function connectIn(delayMs: number): void {
    clearTimeout(timers.reconnect);
    timers.reconnect = setTimeout(() => connect(), delayMs);
  }

  /** A stream without readable data for a while counts as broken. */
  function watch(): void {
    clearTimeout(timers.silence);
    timers.silence = setTimeout(lose, Math.max(0, heardAtMs + STREAM_TIMEOUT_MS - now()));
  }

  function lose(): void {
    closeStream();
    options.seats.leave();
    hasSeat = true;
    store.send({ type: 'silent' });
    attempts += 1;
    connectIn(reconnectDelay(attempts, random));
    if (polling === null) {
      polling = new AbortController();
      void pollLoop(polling.signal);
    }
  }

  /** The next poll starts after the last one ended, so that requests to a slow console do not overlap. */
  async function pollLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const overview = await options.poll(signal);
        if (signal.aborted) return;
        store.send({ type: 'poll-answered', now: now(), serverNow: serverNowOf(overview) });
      } catch (error) {
        if (signal.aborted) return;
        store.send({
          type: 'poll-failed',
          problem: error instanceof ApiError ? error.detail : errorText(error),
        });
      }
      await new Promise((resolve) => setTimeout(resolve, REFETCH_MS));
    }
  }

  function closeStream(): void {
    clearTimeout(timers.silence);
    stream?.close();
    stream = null;
  }

  function stopPolling(): void {
    polling?.abort();
    polling = null;
  }

  function letGo(): void {
    closeStream();
    stopPolling();
    options.seats.leave();
    clearTimeout(timers.reconnect);
    running = false;
  }

  function start(): void {
    if (running) return;
    running = true;
    attempts = 0;
    connect();
  }

  return {
    start,
    stop() {
      clearTimeout(timers.hidden);
      letGo();
    },
    setVisible(visible) {
      clearTimeout(timers.hidden);
      if (visible) start();
      else {
        timers.hidden = setTimeout(() => {
          letGo();
          store.send({ type: 'suspended' });
        }, HIDDEN_MS);
      }
    },
    rewatch() {
      if (!running || (stream === null && hasSeat)) return;
      clearTimeout(timers.reconnect);
      // Moving from page to page must not hide a silent server.
      connect(heardAtMs);
    },
    nudge() {
      if (!running || stream !== null) return;
      clearTimeout(timers.reconnect);
      connect();
    },
  };
}
