/** The one background loop: repeats a task, never two turns at once, whatever goes wrong. */

export interface BackgroundLoopOptions {
  /** Ends the sentence "… failed". */
  readonly name: string;
  /** From the end of one turn to the start of the next. */
  readonly everyMs: number;
  /** Before the first turn. Default 0: it starts at once. */
  readonly firstInMs?: number;
  /** Share of `everyMs` by which chance moves each turn, so that many processes do not act as one. */
  readonly jitter?: number;
  readonly random?: () => number;
  readonly logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  /** Whether a waiting loop keeps the process alive. Default true. */
  readonly keepsProcess?: boolean;
  /** Give every call in it a deadline. A number it resolves with is the time to the next turn, in ms. */
  run(): Promise<unknown>;
  onTrouble?(error: unknown): void;
}

export interface BackgroundLoop {
  /** Brings the next turn forward. */
  hasten(inMs: number): void;
  /** Resolves when a turn under way has ended. */
  stop(): Promise<void>;
}

/** How often a streak of failures is logged, after its first one. */
const REMIND_EVERY_MS = 60_000;

/** A failing turn is logged at once, then once a minute, and when it works again. */
export function startBackgroundLoop(options: BackgroundLoopOptions): BackgroundLoop {
  const { name, everyMs, firstInMs = 0, jitter = 0.2, random = Math.random, logger } = options;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let failures = 0;
  let remindAtMs = 0;
  /** When the next turn is due, by the monotonic clock; during a turn: the earliest time that `hasten` asked for. */
  let dueAtMs = Number.POSITIVE_INFINITY;

  async function turn(): Promise<void> {
    let nextInMs: number | undefined;
    try {
      const result = await options.run();
      if (typeof result === 'number') nextInMs = result;
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
      due(nextInMs ?? everyMs * (1 + jitter * (2 * random() - 1)));
      busy = false;
      arm();
    }
  }
  function due(inMs: number): void {
    dueAtMs = Math.min(dueAtMs, performance.now() + inMs);
  }
  function arm(): void {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(next, Math.max(1, Math.ceil(dueAtMs - performance.now())));
    if (options.keepsProcess === false) timer.unref();
  }
  function next(): void {
    busy = true;
    dueAtMs = Number.POSITIVE_INFINITY;
    current = turn();
  }
  let busy = firstInMs === 0;
  let current: Promise<void> = Promise.resolve();
  if (busy) current = turn();
  else {
    due(firstInMs);
    arm();
  }
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
