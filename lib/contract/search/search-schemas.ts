/** Searching jobs: pages of what matches a query, facets, failure groups, suggestions and saved searches. */

import { z } from 'zod';
import { accessScopeSchema } from '../access/grant-schemas';
import { PAGE_LIMIT_DEFAULT } from '../api-paths';
import { ERROR_CLASSES } from '../jobs/error-classes';
import { jobSummarySchema } from '../jobs/job-schemas';
import { jobStateSchema } from '../jobs/job-state-schemas';
import { nameSchema, sentenceSchema } from '../name-schemas';
import { QUERY_MAX_CHARS } from './query/filter';
import { queryTextSchema } from './query/query-text-schema';
import { GROUP_TREND_HOURS, LAST_HOUR_STEPS, SEARCH_LIMIT_MAX } from './search-limits';

export const searchQuerySchema = z.strictObject({
  q: queryTextSchema.default(''),
  cursor: z.string().max(600).optional(),
  limit: z.coerce.number().int().min(1).max(SEARCH_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
});

/** Entries that a streamed search reads by default, in about a second. Then it ends with a cursor. */
const STREAM_BUDGET_DEFAULT = 250_000;
export const queryOnlySchema = z.strictObject({ q: queryTextSchema.default('') });
/** `facets=1`: the reply carries the facets of the same matches. */
export const groupsQuerySchema = queryOnlySchema.extend({
  facets: z.literal('1', 'must be 1, or left out').optional(),
});
export const streamQuerySchema = searchQuerySchema.extend({
  budget: z.coerce.number().int().min(1).max(5_000_000).default(STREAM_BUDGET_DEFAULT),
});

const unavailableSchema = z.array(z.object({ queue: z.string(), shard: z.number() })).optional();

/** The progress of a search, from its first page on. */
const scanSchema = z.object({
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
  /** The next page; null: the search is complete. A page with a cursor and fewer jobs than `limit` stopped at its budget. */
  nextCursor: z.string().nullable(),
  /** How many match. When `exact` is false it is only known that there are at least so many. */
  matching: z.object({ count: z.number(), exact: z.boolean() }),
  /** Shards with jobs that were not searched, because there are too many: narrow the query to a queue. */
  unsearched: z.number().optional(),
  scan: scanSchema,
  /** Unavailable shards: their jobs are missing here, and from `matching`. */
  unavailable: unavailableSchema,
});
export type SearchPage = z.infer<typeof searchPageSchema>;

/** Where a streamed search continues after it stops or breaks off here; left out at its start. */
const onwardsSchema = z.string().optional();
/** A line of a streamed search (NDJSON): matches as they are found, progress in between, and how it ended. */
export const searchEventSchema = z.union([
  z.object({ jobs: z.array(jobSummarySchema), cursor: onwardsSchema }),
  z.object({ progress: scanSchema, cursor: onwardsSchema }),
  z.object({ end: searchPageSchema.omit({ jobs: true }) }),
  z.object({ error: z.object({ code: z.string(), detail: z.string() }) }),
]);
export type SearchEvent = z.infer<typeof searchEventSchema>;

const facetValueSchema = z.object({ value: z.string(), count: z.number() });
export type FacetValue = z.infer<typeof facetValueSchema>;
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
  /** The age facet counts so many of the newest matches; null: all. Aggregates do not have ages. */
  ageSampled: z.number().nullable().default(null),
  unavailable: unavailableSchema,
});
export type Facets = z.infer<typeof facetsSchema>;

/** Twelve hex digits: fingerprint of type, class, code, normalised message and top frames. See docs/search.md. */
export const groupIdSchema = z
  .string()
  .regex(/^[0-9a-f]{12}$/, 'must be the twelve hex digits of a failure group');
const GROUP_STATUSES = ['open', 'resolved', 'reopened', 'muted'] as const;
export const groupSchema = z.object({
  group: groupIdSchema,
  /** A name that a user gave it; null: the console shows its message. */
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
  /** Deaths by the hour, the hour under way last; of jobs that were re-driven since, too. */
  trend: z.array(z.number()).length(GROUP_TREND_HOURS),
  /** Dead letters in it that died in the last hour, by five minutes up to now; null: none did. */
  lastHour: z.array(z.number()).length(LAST_HOUR_STEPS).nullable(),
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
  /** Of the same matches, where they were asked for. */
  facets: facetsSchema.optional(),
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
/** The stored form, for one group over all queues. */
export const groupNoteSchema = z.object({
  name: z.string().nullable(),
  note: z.string().nullable(),
  status: z.enum(GROUP_STATUSES),
  statusAt: z.number(),
  changedBy: z.string(),
  changedAt: z.number(),
  /** To show the group when none of its jobs is dead any more. */
  type: z.string(),
  class: z.enum(ERROR_CLASSES),
  code: z.string(),
});
export type GroupNote = z.infer<typeof groupNoteSchema>;

/** A suggestion at the caret: `insert` replaces the letters `from`–`to` of the query. */
const suggestionSchema = z.object({
  kind: z.enum(['field', 'value', 'path']),
  insert: z.string(),
  from: z.number(),
  to: z.number(),
  /** An explanation; for values how many dead letters have it. */
  hint: z.string().nullable(),
  count: z.number().nullable(),
});
export type Suggestion = z.infer<typeof suggestionSchema>;
export const suggestQuerySchema = z.strictObject({
  q: queryTextSchema.default(''),
  caret: z.coerce.number().int().min(0).max(QUERY_MAX_CHARS),
  /** Suggestions come from jobs in this state (and, with `queue`, in this queue). */
  state: jobStateSchema.default('dead'),
  queue: nameSchema.optional(),
});
export const suggestionsSchema = z.object({ suggestions: z.array(suggestionSchema).max(50) });

export const savedSearchInputSchema = z.strictObject({
  name: sentenceSchema(80),
  q: queryTextSchema,
  /** Visible to all users with its scope, or to its owner only. */
  shared: z.boolean().default(false),
});
export type SavedSearchInput = z.output<typeof savedSearchInputSchema>;
export const savedSearchSchema = z.object({
  id: z.string(),
  name: z.string(),
  q: z.string(),
  shared: z.boolean(),
  owner: z.string(),
  createdAt: z.number(),
});
export type SavedSearch = z.infer<typeof savedSearchSchema>;
/** The stored form. */
export const storedSearchSchema = savedSearchSchema.extend({
  /** Stable id of the person; left out: the name is the id. */
  ownerId: z.string().optional(),
  /** The scope of its owner when they saved it: its words may reveal any of that. Left out: everything. */
  within: accessScopeSchema.readonly().optional(),
});
export type StoredSearch = z.infer<typeof storedSearchSchema>;
export const savedSearchesSchema = z.object({ searches: z.array(savedSearchSchema) });
