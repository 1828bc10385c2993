/**
 * The child's end of the line between the harness and a process under measurement: it is asked by name, answers once, and
 * may tell things unasked. It leaves with its parent.
 */

export type Calls = Record<string, (args: never) => unknown>;
export interface Ask {
  id: number;
  call: string;
  args: unknown;
}
export type Told =
  | { type: 'ready' }
  | { type: 'reply'; id: number; value?: unknown; error?: string }
  | { type: 'trouble'; error: string }
  | { type: 'progress'; progress: Progress };

/** What a worker process has done so far. Times are ms since 1970, with fractions. */
export interface Progress {
  started: number;
  lastStartedAtMs: number;
  done: number;
  lastDoneAtMs: number;
}

export const nowMs = (): number => performance.timeOrigin + performance.now();

export const tell = (message: Told): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
};
export const tellTrouble = (error: unknown): void =>
  tell({ type: 'trouble', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });

export function serve(calls: Calls): void {
  const answer = async ({ id, call, args }: Ask) => {
    try {
      const found = calls[call];
      if (!found) throw new Error(`The process knows no call ${call}.`);
      tell({ type: 'reply', id, value: await found(args as never) });
    } catch (error) {
      tell({
        type: 'reply',
        id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  };
  process.on('message', (message) => void answer(message as Ask));
  // When the harness asks for it, or is gone.
  process.on('disconnect', () => process.exit(0));
  process.on('unhandledRejection', tellTrouble);
  tell({ type: 'ready' });
}
