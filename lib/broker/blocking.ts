/** What every way of blocking for work has in common. */

/** How much later than its own timeout a blocking call may answer before the connection is taken for dead. */
export const GRACE_MS = 2_000;

export interface Waiter {
  /** Resolves with the queue that woke us, or null when `timeoutMs` passed, the waiter was interrupted, or Redis is away. */
  wait(queues: readonly string[], timeoutMs: number): Promise<string | null>;
  /** Ends a wait that is under way. */
  interrupt(): void;
  close(): void;
}

/** No commandTimeout on such a connection: the deadline is ours, because a blocking call is meant to be slow. */
export const BLOCKING = {
  commandTimeout: undefined,
  socketTimeout: undefined,
  blockingTimeout: undefined,
  maxRetriesPerRequest: 0,
} as const;
