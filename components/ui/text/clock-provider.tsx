'use client';
import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';

export type Clock = () => number;

/** One timer per interval for all components; it stops without any. */
class Ticker {
  private value: number;
  private timer: ReturnType<typeof setInterval> | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly clock: Clock,
    private readonly intervalMs: number,
    private readonly initial: number,
  ) {
    this.value = initial;
  }

  private tick = () => {
    this.value = this.clock();
    for (const listener of this.listeners) listener();
  };

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    if (!this.timer) {
      this.value = this.clock();
      this.timer = setInterval(this.tick, this.intervalMs);
    }
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0 || !this.timer) return;
      clearInterval(this.timer);
      this.timer = null;
    };
  };

  /** Stable between ticks, as React requires; read anew while no timer runs. */
  get = () => {
    if (!this.timer && Math.abs(this.clock() - this.value) >= this.intervalMs) this.value = this.clock();
    return this.value;
  };

  getInitial = () => this.initial;
}

class Tickers {
  private readonly byInterval = new Map<number, Ticker>();
  constructor(
    private readonly clock: Clock,
    readonly initial: number,
  ) {}
  at(intervalMs: number): Ticker {
    const known = this.byInterval.get(intervalMs);
    if (known) return known;
    const made = new Ticker(this.clock, intervalMs, this.initial);
    this.byInterval.set(intervalMs, made);
    return made;
  }
}

const NowContext = createContext(new Tickers(Date.now, Date.now()));

/**
 * The current time for the components below. `initialNow` is the server's, so that the first paint in the browser equals the
 * server's. `clock` (keep its identity stable) replaces the browser's clock. A nested provider inherits `initialNow`.
 */
export function ClockProvider({
  clock = Date.now,
  initialNow,
  children,
}: {
  clock?: Clock;
  initialNow?: number;
  children: React.ReactNode;
}) {
  const inherited = useContext(NowContext).initial;
  const initial = initialNow ?? inherited;
  const tickers = useMemo(() => new Tickers(clock, initial), [clock, initial]);
  return <NowContext value={tickers}>{children}</NowContext>;
}

/** The current time, renewed every `intervalMs`. */
export function useNow(intervalMs = 1_000): number {
  const ticker = useContext(NowContext).at(intervalMs);
  return useSyncExternalStore(ticker.subscribe, ticker.get, ticker.getInitial);
}

const never = () => () => undefined;

/** False on the server and in the first paint, true after: for what only the browser knows (time zone, theme). */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
