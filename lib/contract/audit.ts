/** The audit log: who did what, to what, from where, why, and what came of it. */
import { z } from 'zod';
import { wayInSchema } from './access';

/** Of each of `before` and `after`: what is longer is cut. */
export const AUDIT_CHANGE_MAX_BYTES = 2_000;
export const AUDIT_RESULTS = ['done', 'refused'] as const;
export const AUDIT_OBJECTS = [
  'queue',
  'job',
  'operation',
  'schedule',
  'group',
  'search',
  'person',
  'session',
  'token',
  'lab',
  'worker',
  'audit',
] as const;
export type AuditObjectKind = (typeof AUDIT_OBJECTS)[number];

export const auditEntrySchema = z.object({
  /** Counts up by one from entry to entry: a missing one is seen. */
  n: z.number().int(),
  /** When it was done, by Redis's clock, in ms since 1970. */
  at: z.number(),
  actor: z.string(),
  /** Stable id of the person or token; null: a library call, or Redrive itself. */
  actorId: z.string().nullable(),
  /** How they came in; null: not over HTTP. */
  way: wayInSchema.nullable(),
  /** The session or token, as lists name it: it opens nothing. */
  via: z.string().nullable(),
  address: z.string().nullable(),
  /** Such as `queue.pause`, `job.redrive`, `operation.start`, `access.grant`, `session.begin`. */
  action: z.string(),
  result: z.enum(AUDIT_RESULTS),
  /** refused: the code of the error table. */
  code: z.string().nullable(),
  object: z.object({ kind: z.enum(AUDIT_OBJECTS), id: z.string() }).nullable(),
  queue: z.string().nullable(),
  shard: z.number().nullable(),
  /** The query of a bulk operation. */
  filter: z.string().nullable(),
  reason: z.string().nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Jobs changed, or how often the same was refused. */
  count: z.number().nullable(),
  requestId: z.string().nullable(),
  /** Which record of the change this is: its place and its id there. No record is entered twice. */
  source: z.string(),
  /** Of the entry before this one; of the first: 64 zeros. */
  prev: z.string(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const AUDIT_PAGE_MAX = 200;
export const auditQuerySchema = z.strictObject({
  /** Contained in the actor's name or id, the action, the object, the filter, the reason or the change, whatever the case. */
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
/** GET /api/v1/audit/file: all that matches, in a file. */
export const auditFileQuerySchema = auditQuerySchema
  .omit({ cursor: true, limit: true })
  .extend({ format: z.enum(['ndjson', 'csv']).default('ndjson') });
export const auditPageSchema = z.object({
  at: z.number(),
  /** Newest first. */
  entries: z.array(auditEntrySchema),
  nextCursor: z.string().nullable(),
  scanned: z.number(),
  /** How many are kept. */
  of: z.number(),
  /** Changes made that are not yet in the chain: they follow within seconds. */
  pending: z.number(),
});
export type AuditPage = z.infer<typeof auditPageSchema>;

/** What a check of the chain found. */
export const auditCheckSchema = z.object({
  at: z.number(),
  ok: z.boolean(),
  checked: z.number(),
  /** First and last entry that were checked. */
  first: z.number().nullable(),
  last: z.number().nullable(),
  /** Hash of the last entry: written down elsewhere, it proves later that nothing before it was changed. */
  head: z.string(),
  /** Whether the hashes are keyed: without AUDIT_KEY, who can write to Redis could compute the chain anew. */
  keyed: z.boolean(),
  problems: z.array(z.object({ n: z.number(), sentence: z.string() })),
});
export type AuditCheck = z.infer<typeof auditCheckSchema>;
