/**
 * Keeps one event stream open a tab, polls while it is silent, and lets go of both while nobody looks.
 * Everything outside (stream, clock, visibility) is passed in, so that tests run it without a browser.
 */
import { paths } from '@/lib/contract/api';
import type { Frame } from '@/lib/contract/live';
import { frameSchema } from '@/lib/contract/live';
import type { Overview } from '@/lib/contract/queue';
import { reconnectDelay } from './live-state';
import type { LiveStore } from './live-store';
import { REFETCH_MS } from './query-options';

export const SILENCE_MS = 5_000;
export const HIDDEN_MS = 60_000;

export interface StreamLike {
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void;
  close(): void;
}

export interface LiveConnectionOptions {
  store: LiveStore;
  openStream: (url: string) => StreamLike;
  /** Reads everything the stream carries and writes it to the cache; returns the overview or throws. */
  poll: (signal: AbortSignal) => Promise<Overview>;
  onFrame: (frame: Frame) => void;
  /** The stream ended because nobody is signed in any more: nothing is asked for until `start`. */
  onSignedOut: () => void;
  now?: () => number;
  random?: () => number;
}

export interface LiveConnection {
  start(): void;
  stop(): void;
  /** Tells whether the tab can be seen. */
  setVisible(visible: boolean): void;
  /** Tries the stream again now, for instance because the network is back. */
  nudge(): void;
}

/** Server time when the snapshot was sent: `at` alone would stand still while Redis cannot be read. */
export const serverNowOf = (overview: Overview): number => overview.at + overview.ageMs;

export function createLiveConnection(options: LiveConnectionOptions): LiveConnection {
  const { store, now = Date.now, random = Math.random } = options;
  let stream: StreamLike | null = null;
  let polling: AbortController | null = null;
  let attempts = 0;
  let running = false;
  const timers: Record<'silence' | 'reconnect' | 'hidden', ReturnType<typeof setTimeout> | undefined> = {
    silence: undefined,
    reconnect: undefined,
    hidden: undefined,
  };

  function connect(): void {
    closeStream();
    const opened = options.openStream(paths.stream());
    stream = opened;
    opened.addEventListener('frame', (event) => {
      if (stream === opened) receive(event.data);
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

  function receive(data: unknown): void {
    const frame = parseFrame(data);
    if (frame === null) return;
    attempts = 0;
    stopPolling();
    watch();
    options.onFrame(frame);
    store.send({
      type: 'frame',
      now: now(),
      serverNow: serverNowOf(frame.overview),
      movements: frame.movements,
    });
  }

  /** A stream that says nothing readable for a while is as good as broken. */
  function watch(): void {
    clearTimeout(timers.silence);
    timers.silence = setTimeout(lose, SILENCE_MS);
  }

  function lose(): void {
    closeStream();
    store.send({ type: 'silent' });
    attempts += 1;
    clearTimeout(timers.reconnect);
    timers.reconnect = setTimeout(connect, reconnectDelay(attempts, random));
    if (polling === null) {
      polling = new AbortController();
      void pollLoop(polling.signal);
    }
  }

  /** The next poll starts only after the last one ended, so that a slow console is not asked twice at once. */
  async function pollLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const overview = await options.poll(signal);
        if (signal.aborted) return;
        store.send({ type: 'poll-answered', now: now(), serverNow: serverNowOf(overview) });
      } catch (error) {
        if (signal.aborted) return;
        store.send({ type: 'poll-failed', problem: error instanceof Error ? error.message : String(error) });
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
    nudge() {
      if (!running || stream !== null) return;
      clearTimeout(timers.reconnect);
      connect();
    },
  };
}

function parseFrame(data: unknown): Frame | null {
  if (typeof data !== 'string') return null;
  try {
    const parsed = frameSchema.safeParse(JSON.parse(data));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
