/** The audit log, as the broker offers it: `broker.audit`. There is no verb that changes or removes an entry. */
import type { AuditQuery } from '@/lib/contract/audit';
import type { Actor } from '../note';
import type { ShardedContext } from '../shards';
import { createChain } from './chain';
import { checkAudit, hashAt } from './check';
import { collectAudit } from './collect';
import { entriesUp } from './entries';
import type { Holding } from './fold';
import { readHead } from './head';
import { type AuditNote, noteAudit } from './note';
import { listAudit, type MaySee, matchingAudit } from './query';
import { AUDIT_ENTRIES_MAX, retentionOf, TRIM_STEP, trimAudit } from './trim';

export { createChain, entryText } from './chain';
export type { Collected } from './collect';
export { verifyAuditFile } from './file';
export { Holding } from './fold';
export type { AuditNote } from './note';
export type { MaySee } from './query';
/** The log grows to so many entries before the oldest go. */
export const AUDIT_GROWS_TO = AUDIT_ENTRIES_MAX + TRIM_STEP;
export { type Verdict, verifyChain } from './verify';

/** Left out: the chain is not keyed. The first hashes, the others are older ones. */
export interface Keyed {
  readonly keys?: readonly string[];
}

export const auditVerbs = (ctx: ShardedContext) => ({
  /** A record of what changes nothing in Redis: a refused attempt, an export, a look at what is hidden. */
  note: (note: AuditNote, by: Actor) => noteAudit(ctx, note, by),
  /** Carries records from where they were written into the log: all, or those of some queues and those of none. */
  collect: ({
    keys,
    ...what
  }: Keyed & { thorough?: boolean; queues?: readonly string[]; holding?: Holding } = {}) =>
    collectAudit(ctx, createChain(keys), what),
  /** Lets go of what is older than `keepDays`, and of the oldest beyond `keepEntries`. */
  trim: ({ keys, keepDays, keepEntries }: Keyed & { keepDays: number; keepEntries?: number }) =>
    trimAudit(ctx, createChain(keys), retentionOf(keepDays, keepEntries)),
  list: (query: Partial<AuditQuery>, maySee?: MaySee) => listAudit(ctx, query, maySee),
  matching: (query: Partial<AuditQuery>, maySee?: MaySee) => matchingAudit(ctx, query, maySee),
  /** All entries as they are stored, oldest first. */
  stored: (from: number, to?: number) => entriesUp(ctx, from, to),
  head: async () => (await readHead(ctx)).head,
  /** Of the entry in that place; null: there is none. */
  hashAt: (n: number) => hashAt(ctx, n),
  check: ({ keys, most }: Keyed & { most?: number } = {}) => checkAudit(ctx, createChain(keys), { most }),
});
