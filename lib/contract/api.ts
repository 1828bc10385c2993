/** Paths and bodies of the HTTP API, in one place for the routes, the browser and the tests. */
import { z } from 'zod';
import { enqueueResultSchema } from './envelope';
import { reasonSchema } from './names';
import { operationKindSchema, operationStatusSchema } from './operations';
import { queryTextSchema } from './query/filter';
import { pauseSchema, queueSnapshotSchema } from './queue';
import { JOB_STATES } from './states';

export const PAGE_LIMIT_DEFAULT = 50;
export const PAGE_LIMIT_MAX = 500;
export const BODY_MAX_BYTES = 1024 * 1024;
/** A search's cursor says where it stands in each of its sources. */
const CURSOR_MAX_CHARS = 600;

export const pageQuerySchema = z.object({
  cursor: z.string().max(600).optional(),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
});
export const jobsQuerySchema = pageQuerySchema
  .extend({
    state: z.enum(JOB_STATES).default('ready'),
    q: queryTextSchema.default(''),
    cursor: z.string().max(CURSOR_MAX_CHARS).optional(),
  })
  .strict();
export const operationsQuerySchema = pageQuerySchema
  .extend({ status: operationStatusSchema.optional(), kind: operationKindSchema.optional() })
  .strict();
export const changesQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export const actionRequestSchema = z.strictObject({ reason: reasonSchema.optional() });

const q = encodeURIComponent;
export const paths = {
  queues: () => '/api/v1/queues',
  queue: (queue: string) => `/api/v1/queues/${q(queue)}`,
  jobs: (queue: string) => `/api/v1/queues/${q(queue)}/jobs`,
  job: (queue: string, id: string) => `/api/v1/queues/${q(queue)}/jobs/${q(id)}`,
  jobAction: (queue: string, id: string, action: string) =>
    `/api/v1/queues/${q(queue)}/jobs/${q(id)}/${action}`,
  pause: (queue: string) => `/api/v1/queues/${q(queue)}/pause`,
  resume: (queue: string) => `/api/v1/queues/${q(queue)}/resume`,
  config: (queue: string) => `/api/v1/queues/${q(queue)}/config`,
  drain: (queue: string) => `/api/v1/queues/${q(queue)}/drain`,
  sharding: (queue: string) => `/api/v1/queues/${q(queue)}/sharding`,
  changes: (queue: string) => `/api/v1/queues/${q(queue)}/changes`,
  reclaim: (queue: string) => `/api/v1/queues/${q(queue)}/reclaim`,
  dead: () => '/api/v1/dead',
  deadStream: () => '/api/v1/dead/stream',
  deadFacets: () => '/api/v1/dead/facets',
  deadGroups: () => '/api/v1/dead/groups',
  deadGroup: (group: string) => `/api/v1/dead/groups/${q(group)}`,
  suggest: () => '/api/v1/suggest',
  searches: () => '/api/v1/searches',
  search: (id: string) => `/api/v1/searches/${q(id)}`,
  me: () => '/api/v1/me',
  signInOptions: () => '/api/v1/session/options',
  /** POST signs in by password, DELETE signs out. */
  session: () => '/api/v1/session',
  sessionLink: () => '/api/v1/session/link',
  sessionProof: () => '/api/v1/session/proof',
  /** POST: a user of this console changes their own password. */
  sessionPassword: () => '/api/v1/session/password',
  /** A page, not an API call: the browser goes there and comes back signed in. `?next=/dead`, `?proof=1` for a proof. */
  oidcStart: () => '/sign-in/oidc',
  /** Those of the person; `?all=1`: everybody's (permission access). DELETE ends all of the person's but this one. */
  sessions: () => '/api/v1/access/sessions',
  accessSession: (id: string) => `/api/v1/access/sessions/${q(id)}`,
  people: () => '/api/v1/access/people',
  accessPerson: (id: string) => `/api/v1/access/people/${q(id)}`,
  tokens: () => '/api/v1/access/tokens',
  accessToken: (id: string) => `/api/v1/access/tokens/${q(id)}`,
  audit: () => '/api/v1/audit',
  auditCheck: () => '/api/v1/audit/check',
  auditFile: () => '/api/v1/audit/file',
  unmask: (queue: string, id: string) => `/api/v1/queues/${q(queue)}/jobs/${q(id)}/unmask`,
  operations: () => '/api/v1/operations',
  operation: (id: string) => `/api/v1/operations/${q(id)}`,
  operationPreview: () => '/api/v1/operations/preview',
  operationAction: (id: string, action: 'pause' | 'resume' | 'cancel' | 'approve' | 'reject' | 'undo') =>
    `/api/v1/operations/${q(id)}/${action}`,
  operationJobs: (id: string) => `/api/v1/operations/${q(id)}/jobs`,
  operationFile: (id: string) => `/api/v1/operations/${q(id)}/file`,
  schedules: () => '/api/v1/schedules',
  schedulePreview: () => '/api/v1/schedules/preview',
  schedule: (id: string) => `/api/v1/schedules/${q(id)}`,
  scheduleAction: (id: string, action: 'run' | 'pause' | 'resume') => `/api/v1/schedules/${q(id)}/${action}`,
  workers: () => '/api/v1/workers',
  lab: () => '/api/v1/lab',
  labBurst: () => '/api/v1/lab/burst',
  labReclaim: () => '/api/v1/lab/reclaim',
  stream: () => '/api/v1/stream',
} as const;

/** Answers that no other file of the contract describes. */
export const queueReplySchema = z.object({
  at: z.number(),
  ageMs: z.number(),
  fresh: z.boolean(),
  queue: queueSnapshotSchema,
});
export const actionResultSchema = z.object({ outcome: z.string() });
export const removedSchema = z.object({ id: z.string(), deleted: z.literal(true) });
export const pausesSchema = z.object({ pauses: z.array(pauseSchema) });
export const reclaimedSchema = z.object({ reclaimed: z.number() });
export const enqueueReplySchema = z.object({ results: z.array(enqueueResultSchema) });
export const labBurstReplySchema = z.object({ enqueued: z.number() });
