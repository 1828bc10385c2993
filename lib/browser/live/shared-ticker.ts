/** One timer per interval, shared by everything that shows an age. It runs only while it has listeners. */
export interface Ticker {
  /** The time of the last tick. */
  now(): number;
  subscribe(listener: () => void): () => void;
}

const tickers = new Map<number, Ticker>();

export function tickerFor(intervalMs: number): Ticker {
  const known = tickers.get(intervalMs);
  if (known) return known;
  const made = createTicker(intervalMs);
  tickers.set(intervalMs, made);
  return made;
}

export function createTicker(intervalMs: number): Ticker {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let at = 0;
  const tick = () => {
    at = Date.now();
    for (const listener of listeners) listener();
  };
  return {
    now() {
      if (timer === undefined && Date.now() - at >= intervalMs) at = Date.now();
      return at;
    },
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        at = Date.now();
        timer = setInterval(tick, intervalMs);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      };
    },
  };
}
