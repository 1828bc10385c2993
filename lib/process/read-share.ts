/**
 * Whose large read a call belongs to, so that scans of Redis take turns by user and end when no client waits for them. It follows the read
 * through every function that the read calls. Routes and pages are separate bundles of one process: the record is on globalThis.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';

interface ShareRecord {
  readonly storage: AsyncLocalStorage<ReadShare>;
  /** Requests under way that are no large reads. */
  small: number;
  /** Called when the last of them ends. */
  onQuiet: () => void;
}
const KEY = Symbol.for('redrive.read-share');
const holder = globalThis as unknown as Record<symbol, ShareRecord | undefined>;
holder[KEY] ??= { storage: new AsyncLocalStorage(), small: 0, onQuiet: () => undefined };
const record: ShareRecord = holder[KEY];

export class ReadShare {
  private isOver = false;
  private isKept = false;

  /** @param signal aborts when no client waits for the read any more */
  constructor(
    readonly owner: string,
    readonly signal: AbortSignal,
  ) {
    // Many scans of one read may wait for their turns.
    setMaxListeners(0, signal);
  }

  run<T>(work: () => T): T {
    return record.storage.run(this, work);
  }

  /** The answer is a stream, which ends it itself. */
  keep(): void {
    this.isKept = true;
  }

  /** The request was answered. */
  answered(): void {
    if (!this.isKept) this.end();
  }

  /** Loops that the read happened to start run on, and belong to no user. */
  end(): void {
    this.isOver = true;
  }

  /** Undefined: the caller belongs to no large read. */
  static current(): ReadShare | undefined {
    const share = record.storage.getStore();
    return share?.isOver ? undefined : share;
  }
}

/** Work for several readers: it does not end with the one that asked first. */
export function asShared<T>(work: () => T): T {
  const share = ReadShare.current();
  return share ? new ReadShare(share.owner, new AbortController().signal).run(work) : work();
}

/** Scans leave gaps while small requests are under way. */
export async function asSmallRequest<T>(work: () => Promise<T>): Promise<T> {
  record.small += 1;
  try {
    return await work();
  } finally {
    record.small -= 1;
    if (record.small === 0) record.onQuiet();
  }
}
export const smallRequests = (): number => record.small;
export const whenNoneIsSmall = (call: () => void): void => {
  record.onQuiet = call;
};
