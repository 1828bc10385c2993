/**
 * Who pays for the audit events of a request. The runner of scripts asks the purse before it sends a script that records an event, so a
 * change that does not fit into its user's share is refused before anything is written.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface AuditedCall {
  /** Where the event waits for the log: the physical name of a queue's shard, or `.access` and its likes. */
  readonly source: string;
  /** Events of enqueued jobs, which fold into one entry a minute. */
  readonly folds?: boolean;
}

export interface AuditPurse {
  /** Pays for the events of one request that come next, all or none. @throws RedriveError RATE_LIMITED when they do not fit */
  ahead(calls: readonly AuditedCall[]): Promise<void>;
  /** Pays for the event of one script, unless that is done. @throws RedriveError RATE_LIMITED */
  before(call: AuditedCall): Promise<void>;
  /** The script recorded nothing after all. */
  unused(call: AuditedCall): void;
  /** Pays for what an operation records when the request is over. @throws RedriveError RATE_LIMITED when it does not fit */
  later(sources: readonly string[]): Promise<void>;
  readonly isClosed: boolean;
}

/** Routes and instrumentation are separate bundles of one process: both must find the same purse. */
const STORAGE = Symbol.for('redrive.audit-purse');
const holder = globalThis as unknown as Record<symbol, AsyncLocalStorage<AuditPurse | null> | undefined>;
const storage = (): AsyncLocalStorage<AuditPurse | null> => {
  holder[STORAGE] ??= new AsyncLocalStorage();
  return holder[STORAGE];
};

/** Null: no request of a user, such as a call of the library or of a background loop. */
export function presentPurse(): AuditPurse | null {
  const purse = storage().getStore();
  return purse && !purse.isClosed ? purse : null;
}

export const withPurse = <T>(purse: AuditPurse, work: () => Promise<T>): Promise<T> =>
  storage().run(purse, work);

/** For work that a request starts and does not wait for. */
export const withoutPurse = <T>(work: () => T): T => storage().run(null, work);

/** For a change in several scripts: pays for all of them, or refuses before the first. */
export async function payAhead(sources: readonly string[], { folds = false } = {}): Promise<void> {
  await presentPurse()?.ahead(sources.map((source) => ({ source, folds })));
}

/** For an operation: pays for the events of its end in these shards. */
export async function payForLater(sources: readonly string[]): Promise<void> {
  await presentPurse()?.later(sources);
}
