/** The audit log, as the broker offers it: `broker.audit`. There is no verb that changes or removes an entry. */
import { bindVerbs } from '../redis/bind-verbs';
import type { ShardedContext } from '../shards/sharded-context';
import { checkLog, readEntryHash } from './check-log';
import { type CollectOptions, collectEvents } from './collect-events';
import { createHashChain } from './hash-chain';
import { listEntries, matchingEntries } from './list-entries';
import { readLogHead } from './log-head';
import { readEntriesForward } from './read-entries';
import { recordAuditEvent } from './record-event';
import { AUDIT_ENTRIES_MAX, TRIM_STEP, trimAudit } from './trim-log';

export type { Collected } from './collect-events';
export { createHashChain, entryText } from './hash-chain';
export { FoldBuffer } from './intake/fold-enqueues';
export { FoldTimes } from './intake/fold-times';
export type { EntryFilter } from './list-entries';
export type { AuditEvent } from './record-event';
export { verifyFile } from './verify-file';
/** The log grows to so many entries before the oldest go. */
export const AUDIT_GROWS_TO = AUDIT_ENTRIES_MAX + TRIM_STEP;
export { type ChainVerdict, verifyChain } from './verify-chain';

/** Left out: the chain is not keyed. The first hashes, the others are older ones. */
export interface Keyed {
  readonly keys?: readonly string[];
}

export const auditVerbs = (ctx: ShardedContext) => ({
  /** Carries pending events into the log: of all queues or some, and of everything outside of queues. */
  collect: ({ keys, ...what }: Keyed & CollectOptions = {}) =>
    collectEvents(ctx, createHashChain(keys), what),
  /** Removes entries older than `keepDays`, and the oldest beyond `keepEntries`. */
  trim: ({ keys, keepDays, keepEntries }: Keyed & { keepDays: number; keepEntries?: number }) =>
    trimAudit(ctx, createHashChain(keys), keepDays, keepEntries),
  ...bindVerbs(ctx, {
    /** Records an event that changes nothing in Redis: a refusal, an export, a look at hidden values. */
    note: recordAuditEvent,
    list: listEntries,
    matching: matchingEntries,
    /** All entries as they are stored, oldest first. */
    stored: readEntriesForward,
    /** The hash of entry `n`; null: there is none. */
    hashAt: readEntryHash,
  }),
  head: async () => (await readLogHead(ctx)).head,
  check: ({ keys, most }: Keyed & { most?: number } = {}) => checkLog(ctx, createHashChain(keys), { most }),
});
