/** Something done again and again, whatever goes wrong. */
import type { Logger } from './types';

export interface LoopOptions {
  /** Ends the sentence "… failed". */
  readonly name: string;
  readonly everyMs: number;
  /** Share of `everyMs` by which chance moves each turn, so that many processes do not act as one. */
  readonly jitter?: number;
  readonly random?: () => number;
  readonly logger: Logger;
  /** Must end by itself: give every call in it a deadline. */
  run(): Promise<void>;
  onTrouble?(error: unknown): void;
}

export interface Loop {
  /** Brings the next turn forward. */
  hasten(inMs: number): void;
  /** Resolves when a turn under way has ended. */
  stop(): Promise<void>;
}

/** How often a streak of failures is logged, after its first one. */
const REMIND_EVERY_MS = 60_000;

/** The first turn starts at once. A failing turn is logged at once, then once a minute, and when it works again. */
export function startLoop(options: LoopOptions): Loop {
  const { name, everyMs, jitter = 0.2, random = Math.random, logger } = options;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;
  let remindAtMs = 0;
  /** When the next turn is due, by the monotonic clock; while one is under way: how soon another was asked for. */
  let dueAtMs = Number.POSITIVE_INFINITY;

  async function turn(): Promise<void> {
    try {
      await options.run();
      if (failures > 0) logger.info({ failures }, `${name} works again`);
      failures = 0;
    } catch (error) {
      failures += 1;
      options.onTrouble?.(error);
      const nowMs = performance.now();
      if (failures > 1 && nowMs < remindAtMs) return;
      remindAtMs = nowMs + REMIND_EVERY_MS;
      if (failures === 1) logger.warn({ err: error }, `${name} failed; trying on`);
      else logger.warn({ err: error, failures }, `${name} still fails; trying on`);
    } finally {
      due(everyMs * (1 + jitter * (2 * random() - 1)));
      busy = false;
      arm();
    }
  }
  function due(inMs: number): void {
    dueAtMs = Math.min(dueAtMs, performance.now() + inMs);
  }
  function arm(): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(next, Math.max(1, Math.ceil(dueAtMs - performance.now())));
  }
  function next(): void {
    busy = true;
    dueAtMs = Number.POSITIVE_INFINITY;
    current = turn();
  }
  let busy = true;
  let current = turn();
  return {
    hasten(inMs) {
      due(inMs);
      if (!busy) arm();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      return current;
    },
  };
}
