/** Searching jobs: pages of what matches a query, facets, failure groups, suggestions and saved searches. */
import { z } from 'zod';
import { PAGE_LIMIT_DEFAULT } from './api';
import { ERROR_CLASSES } from './failures';
import { jobSummarySchema } from './job';
import { nameSchema, sentenceSchema } from './names';
import { withinSchema } from './permissions';
import { QUERY_MAX_CHARS, queryTextSchema } from './query/filter';
import { jobStateSchema } from './states';

/** How many matches a page holds at most while it also has to scan for them. */
export const SEARCH_LIMIT_MAX = 500;
export const searchQuerySchema = z.strictObject({
  q: queryTextSchema.default(''),
  cursor: z.string().max(600).optional(),
  limit: z.coerce.number().int().min(1).max(SEARCH_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
});

/** Entries a streamed search looks at, unless it is told otherwise: about a second's worth. Then it ends, with where to go on. */
export const STREAM_BUDGET_DEFAULT = 250_000;
export const streamQuerySchema = searchQuerySchema.extend({
  budget: z.coerce.number().int().min(1).max(5_000_000).default(STREAM_BUDGET_DEFAULT),
});

const unavailableSchema = z.array(z.object({ queue: z.string(), shard: z.number() })).optional();

/** How far a search has come, from its first page on. */
export const scanSchema = z.object({
  /** Matches found so far, over all pages. */
  found: z.number(),
  /** Entries looked at so far … */
  scanned: z.number(),
  /** … of so many that the driving index holds. */
  of: z.number(),
});

export const searchPageSchema = z.object({
  at: z.number(),
  jobs: z.array(jobSummarySchema),
  /** Where to go on; null: everything was seen. A page with fewer jobs than asked for and a cursor stopped at its budget. */
  nextCursor: z.string().nullable(),
  /** How many match. When `exact` is false it is only known that there are at least so many. */
  matching: z.object({ count: z.number(), exact: z.boolean() }),
  /** Shards that hold something and were not looked at, because there are too many: narrow the query to a queue. */
  unsearched: z.number().optional(),
  scan: scanSchema,
  /** What could not be read: its jobs are missing here, and from `matching`. */
  unavailable: unavailableSchema,
});
export type SearchPage = z.infer<typeof searchPageSchema>;

/** Where a streamed search that is stopped, or breaks off, here can go on; not given while that is where it began. */
const onwardsSchema = z.string().optional();
/** A line of a streamed search (NDJSON): matches as they are found, progress in between, and how it ended. */
export const searchEventSchema = z.union([
  z.object({ jobs: z.array(jobSummarySchema), cursor: onwardsSchema }),
  z.object({ progress: scanSchema, cursor: onwardsSchema }),
  z.object({ end: searchPageSchema.omit({ jobs: true }) }),
  z.object({ error: z.object({ code: z.string(), detail: z.string() }) }),
]);
export type SearchEvent = z.infer<typeof searchEventSchema>;

export const facetValueSchema = z.object({ value: z.string(), count: z.number() });
export type FacetValue = z.infer<typeof facetValueSchema>;
/** Values shown a facet; the query takes any. */
export const FACET_MAX_VALUES = 200;
/** Ages as the age facet shows them: a name, and the query term it stands for. Each dead letter is in exactly one. */
export const AGE_BUCKETS = [
  { value: '<=5m', query: 'age:<=5m' },
  { value: '5m–1h', query: 'age:>5m age:<=1h' },
  { value: '1h–24h', query: 'age:>1h age:<=24h' },
  { value: '1d–7d', query: 'age:>24h age:<=7d' },
  { value: '>7d', query: 'age:>7d' },
] as const;
export const facetsSchema = z.object({
  at: z.number(),
  /** How many match; at least so many when not exact. */
  matching: z.object({ count: z.number(), exact: z.boolean() }),
  /** Counts are of all that match (null), or only of so many of the newest. */
  sampled: z.number().nullable(),
  facets: z.object({
    queue: z.array(facetValueSchema),
    type: z.array(facetValueSchema),
    tenant: z.array(facetValueSchema),
    code: z.array(facetValueSchema),
    class: z.array(facetValueSchema),
    /** By AGE_BUCKETS, all of them, in that order. */
    age: z.array(facetValueSchema),
    attempts: z.array(facetValueSchema),
  }),
  /** Of how many of the newest that match the ages are; null: of all. Times are not counted by combination, as the rest is. */
  ageSampled: z.number().nullable().default(null),
  unavailable: unavailableSchema,
});
export type Facets = z.infer<typeof facetsSchema>;

/** Twelve hex digits: fingerprint of type, class, code, normalised message and top frames. See docs/search.md. */
export const groupIdSchema = z
  .string()
  .regex(/^[0-9a-f]{12}$/, 'must be the twelve hex digits of a failure group');
/** One bucket an hour, oldest first, the current hour last. */
export const GROUP_TREND_HOURS = 24;
export const GROUP_STATUSES = ['open', 'resolved', 'reopened', 'muted'] as const;
export const groupSchema = z.object({
  group: groupIdSchema,
  /** What a person called it; null: shown by its message. */
  name: z.string().nullable(),
  note: z.string().nullable(),
  status: z.enum(GROUP_STATUSES),
  /** Who set status, name or note last, and when. */
  changedBy: z.string().nullable(),
  changedAt: z.number().nullable(),
  type: z.string(),
  class: z.enum(ERROR_CLASSES),
  code: z.string(),
  /** Of the newest dead letter in it; null when that is unreadable. */
  message: z.string().nullable(),
  /** Dead letters in it that match the query. */
  count: z.number(),
  firstSeen: z.number(),
  lastSeen: z.number(),
  trend: z.array(z.number()).length(GROUP_TREND_HOURS),
  queues: z.array(facetValueSchema),
  /** Most first, at most 20; `tenantCount` is how many there are. */
  tenants: z.array(facetValueSchema),
  tenantCount: z.number(),
  versions: z.array(facetValueSchema),
  /** The newest dead letter in it. */
  sample: z.object({ queue: z.string(), jobId: z.string() }).nullable(),
});
export type Group = z.infer<typeof groupSchema>;
export const groupsPageSchema = z.object({
  at: z.number(),
  /** Most dead letters first, then newest; at most 100. */
  groups: z.array(groupSchema),
  /** How many groups there are, shown or not. */
  total: z.number(),
  matching: z.object({ count: z.number(), exact: z.boolean() }),
  sampled: z.number().nullable(),
  unavailable: unavailableSchema,
});
export type GroupsPage = z.infer<typeof groupsPageSchema>;
export const groupChangeSchema = z
  .strictObject({
    name: sentenceSchema(120).nullable().optional(),
    note: sentenceSchema(500).nullable().optional(),
    status: z.enum(['open', 'resolved', 'muted']).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, { message: 'give name, note or status' });
export type GroupChange = z.infer<typeof groupChangeSchema>;
/** What is stored of that, for one group over all queues. */
export const groupNoteSchema = z.object({
  name: z.string().nullable(),
  note: z.string().nullable(),
  status: z.enum(GROUP_STATUSES),
  statusAt: z.number(),
  changedBy: z.string(),
  changedAt: z.number(),
  /** So that it can still be shown when none of it is dead any more. */
  type: z.string(),
  class: z.enum(ERROR_CLASSES),
  code: z.string(),
});
export type GroupNote = z.infer<typeof groupNoteSchema>;

/** What may stand at the caret: replaces the letters `from`–`to` of the query by `insert`. */
export const suggestionSchema = z.object({
  kind: z.enum(['field', 'value', 'path']),
  insert: z.string(),
  from: z.number(),
  to: z.number(),
  /** What it is; for values how many dead letters have it. */
  hint: z.string().nullable(),
  count: z.number().nullable(),
});
export type Suggestion = z.infer<typeof suggestionSchema>;
export const suggestQuerySchema = z.strictObject({
  q: queryTextSchema.default(''),
  caret: z.coerce.number().int().min(0).max(QUERY_MAX_CHARS),
  /** Only what is in this state (and, with `queue`, this queue) is suggested. */
  state: jobStateSchema.default('dead'),
  queue: nameSchema.optional(),
});
export const suggestionsSchema = z.object({ suggestions: z.array(suggestionSchema).max(50) });

export const savedSearchInputSchema = z.strictObject({
  name: sentenceSchema(80),
  q: queryTextSchema,
  /** Seen by everybody, or only by who saved it. */
  shared: z.boolean().default(false),
});
export const savedSearchSchema = z.object({
  id: z.string(),
  name: z.string(),
  q: z.string(),
  shared: z.boolean(),
  owner: z.string(),
  createdAt: z.number(),
});
export type SavedSearch = z.infer<typeof savedSearchSchema>;
/** As it is kept. */
export const storedSearchSchema = savedSearchSchema.extend({
  /** Stable id of the person; left out: the name is the id. */
  ownerId: z.string().optional(),
  /** What its owner saw when they saved it: its words may be about any of that. Left out: everything. */
  within: withinSchema.readonly().optional(),
});
export type StoredSearch = z.infer<typeof storedSearchSchema>;
export const savedSearchesSchema = z.object({ searches: z.array(savedSearchSchema) });
