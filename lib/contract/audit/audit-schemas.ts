/** The audit log: who changed what, from where, why, and with which result. */
import { z } from 'zod';
import { signInMethodSchema } from '../access/access-schemas';
import { EXPORT_FORMATS } from '../operations/operation-kinds';
import { AUDIT_OBJECTS, AUDIT_PAGE_MAX, AUDIT_RESULTS } from './audit-objects';

export const auditEventSchema = z.object({
  /** Counts up by one from entry to entry, so that a gap is visible. */
  n: z.number().int(),
  /** When it happened, by the clock of Redis, in ms since 1970. */
  at: z.number(),
  actor: z.string(),
  /** Stable id of the user or token; null: a library call, or Redrive itself. */
  actorId: z.string().nullable(),
  /** The sign-in method; null: not over HTTP. */
  method: signInMethodSchema.nullable(),
  /** The id of the session or token, which gives no access. */
  via: z.string().nullable(),
  address: z.string().nullable(),
  /** Such as `queue.pause`, `job.redrive`, `operation.start`, `access.change`, `session.begin`. */
  action: z.string(),
  result: z.enum(AUDIT_RESULTS),
  /** refused: the code of the error table. */
  code: z.string().nullable(),
  object: z.object({ kind: z.enum(AUDIT_OBJECTS), id: z.string() }).nullable(),
  queue: z.string().nullable(),
  shard: z.number().nullable(),
  /** The query of an operation. */
  filter: z.string().nullable(),
  reason: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Jobs changed, or how often the same was refused. */
  count: z.number().nullable(),
  requestId: z.string().nullable(),
  /** The pending audit event: its key and its id there. No event is collected twice. */
  source: z.string(),
  /** Of the entry before this one; of the first: 64 zeros. */
  prev: z.string(),
  hash: z.string(),
});
export type AuditEventView = z.infer<typeof auditEventSchema>;
export const auditQuerySchema = z.strictObject({
  /** Part of the actor's name or id, the action, the object, the filter, the reason or the change, in any case. */
  text: z.string().max(200).optional(),
  actor: z.string().max(200).optional(),
  /** An action, or the beginning of one up to its dot: `queue` finds `queue.pause`. */
  action: z.string().max(100).optional(),
  result: z.enum(AUDIT_RESULTS).optional(),
  queue: z.string().max(100).optional(),
  kind: z.enum(AUDIT_OBJECTS).optional(),
  id: z.string().max(200).optional(),
  from: z.coerce.number().int().min(0).max(8_640_000_000_000_000).optional(),
  to: z.coerce.number().int().min(0).max(8_640_000_000_000_000).optional(),
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(AUDIT_PAGE_MAX).default(50),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;
export type AuditFilter = Partial<Omit<AuditQuery, 'cursor' | 'limit'>>;
/** GET /api/v1/audit/file: all matching events. */
export const auditFileQuerySchema = auditQuerySchema
  .omit({ cursor: true, limit: true })
  .extend({ format: z.enum(EXPORT_FORMATS).default('ndjson') });
export const auditPageSchema = z.object({
  at: z.number(),
  /** Newest first. */
  events: z.array(auditEventSchema),
  nextCursor: z.string().nullable(),
  scanned: z.number(),
  /** How many events the log has. */
  of: z.number(),
  /** Pending audit events: the log gets them within seconds. */
  pending: z.number(),
});
export type AuditPage = z.infer<typeof auditPageSchema>;

/** The result of a check of the hash chain. */
export const auditCheckSchema = z.object({
  at: z.number(),
  ok: z.boolean(),
  checked: z.number(),
  /** First and last entry that were checked. */
  first: z.number().nullable(),
  last: z.number().nullable(),
  /** Hash of the last entry: a copy elsewhere proves later that no earlier entry was changed. */
  head: z.string(),
  /** Whether the hashes are keyed: without REDRIVE_AUDIT_KEY, anybody with write access to Redis could compute a new chain. */
  keyed: z.boolean(),
  problems: z.array(z.object({ n: z.number(), sentence: z.string() })),
});
export type AuditCheck = z.infer<typeof auditCheckSchema>;
