/** Suggestions at the caret of a query: fields, and values and payload paths that jobs have. */

import { ERROR_CLASS_MEANING, ERROR_CLASSES } from '@/lib/contract/jobs/error-classes';
import type { JobState } from '@/lib/contract/jobs/job-states';
import {
  type CaretToken,
  FIELD_HINTS,
  FIELDS,
  type Filter,
  filterInScope,
  type JobFacts,
  parseQuery,
  parseTaggedJson,
  printPath,
  printValue,
  type TaggedJson,
  tokenAt,
  valuesAt,
} from '@/lib/contract/search/query';
import type { Suggestion } from '@/lib/contract/search/search-schemas';
import { readQueueNames } from '../shards/queue-registry';
import type { ShardedContext } from '../shards/sharded-context';
import { aggregateMatches, countValues } from './facets/aggregate-matches';
import { ValueCounts } from './facets/value-counts';
import { openSearch, queuesInScope, type Search, type SearchScope } from './open-search';
import { type FoundJob, openShardMerge } from './scan/merge-shards';
import { readJobFacts } from './scan/read-job-facts';

export interface SuggestScope extends Omit<SearchScope, 'state'> {
  caret: number;
  state?: JobState | undefined;
}

const SUGGESTIONS_MAX = 20;
/** The newest jobs, and characters of their payloads, that are read. */
const SAMPLE_JOBS = 100;
const SAMPLE_CHARS = 1_000_000;
/** Entries scanned to find them. */
const SAMPLE_BUDGET = 5_000;
const VALUE_MAX_CHARS = 100;
const AGES = ['5m', '1h', '24h', '7d'];

/** Never throws for a query that is only half typed. */
export async function suggest(
  ctx: ShardedContext,
  { q, caret, state = 'dead', queue, within }: SuggestScope,
): Promise<Suggestion[]> {
  const typing = tokenAt(q, caret);
  switch (typing.kind) {
    case 'field':
      return fieldsFor(typing);
    case 'text':
      return [];
    default: {
      const search = await openSearch(ctx, { state, q: '', queue, within });
      const query = { ...search.query, filter: filterInScope(restOf(q, typing), search.within) };
      return valuesFor(ctx, { ...search, query }, typing);
    }
  }
}

function fieldsFor({ prefix, from, to }: CaretToken): Suggestion[] {
  const typed = prefix.toLowerCase();
  return FIELDS.filter((field) => field.startsWith(typed)).map((field) => ({
    kind: 'field',
    insert: field === 'payload' ? 'payload.' : `${field}:`,
    from,
    to,
    hint: FIELD_HINTS[field],
    count: null,
  }));
}

/** The query without the term at the caret; all, if it cannot be parsed. */
function restOf(q: string, { from, to }: CaretToken): Filter {
  let start = from;
  while (start > 0 && !' \t()'.includes(q[start - 1] ?? ' ')) start -= 1;
  const parsed = parseQuery(`${q.slice(0, start)} ${q.slice(to)}`);
  return parsed.ok ? parsed.filter : { kind: 'all' };
}

type Valued = Exclude<CaretToken, { kind: 'field' | 'text' }>;

async function valuesFor(ctx: ShardedContext, search: Search, typing: Valued): Promise<Suggestion[]> {
  if (typing.kind === 'path') {
    const steps = new ValueCounts();
    for (const root of await payloads(ctx, search))
      for (const step of stepsAt(root, typing.path)) steps.add(step, 1);
    return suggestionsOf(typing, steps, 'path', (step) => printPath([step]).slice('payload.'.length));
  }
  if (typing.kind === 'payload') {
    const values = new ValueCounts();
    for (const root of await payloads(ctx, search))
      for (const value of scalarsAt(root, typing.path)) values.add(value, 1);
    return suggestionsOf(typing, values, 'value', printValue);
  }
  if (typing.field === 'age')
    return AGES.filter((age) => age.startsWith(typing.prefix)).map((age) => ({
      kind: 'value',
      insert: typing.compare === null ? `>${age}` : age,
      from: typing.from,
      to: typing.to,
      hint: null,
      count: null,
    }));
  return suggestionsOf(typing, await valuesOf(ctx, search, typing.field), 'value', printValue);
}

async function valuesOf(ctx: ShardedContext, search: Search, field: string): Promise<ValueCounts> {
  switch (field) {
    case 'type':
    case 'tenant':
    case 'code':
    case 'class':
    case 'group':
    case 'version':
    case 'attempts':
    case 'queue': {
      const values = countValues(await aggregateMatches(ctx, search), field);
      // Values that exist but no job has now are suggested too.
      if (values.size === 0 && field === 'queue')
        for (const name of queuesInScope(search.within, await readQueueNames(ctx))) values.add(name, 1);
      if (values.size === 0 && field === 'class') for (const name of ERROR_CLASSES) values.add(name, 1);
      return values;
    }
    case 'id':
    case 'key':
    case 'correlation':
    case 'trace':
    case 'operation':
    case 'priority': {
      const values = new ValueCounts();
      for (const facts of await sampledFacts(ctx, search)) {
        const value = facts[field];
        if (value !== null) values.add(String(value), 1);
      }
      return values;
    }
    default:
      return new ValueCounts();
  }
}

function suggestionsOf(
  { prefix, from, to, ...typing }: Valued,
  values: ValueCounts,
  kind: 'value' | 'path',
  print: (value: string) => string,
): Suggestion[] {
  const typed = prefix.toLowerCase();
  const field = typing.kind === 'value' ? typing.field : null;
  return values
    .mostFirst(Number.POSITIVE_INFINITY)
    .filter(({ value }) => value.toLowerCase().startsWith(typed))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ value, count }) => ({
      kind,
      insert: print(value),
      from,
      to,
      hint:
        field === 'class'
          ? (new Map<string, string>(Object.entries(ERROR_CLASS_MEANING)).get(value) ?? null)
          : null,
      count,
    }));
}

async function sampledFacts(
  ctx: ShardedContext,
  { query, shards, order, within }: Search,
  payloads = false,
): Promise<JobFacts[]> {
  const merge = await openShardMerge(ctx, shards, query, order, null);
  const entries: FoundJob[] = [];
  while (entries.length < SAMPLE_JOBS && !merge.finished && merge.scanned < SAMPLE_BUDGET)
    entries.push(...(await merge.next(SAMPLE_JOBS - entries.length, SAMPLE_BUDGET - merge.scanned)));
  const found = await readJobFacts(ctx, query.state, entries, { payloads, within });
  return found.map(({ facts }) => facts);
}

async function payloads(ctx: ShardedContext, search: Search): Promise<TaggedJson[]> {
  const read: TaggedJson[] = [];
  let chars = 0;
  for (const { payload } of await sampledFacts(ctx, search, true)) {
    if (payload === null || chars > SAMPLE_CHARS) continue;
    chars += payload.length;
    const value = parseTaggedJson(payload);
    if (value !== undefined) read.push(value);
  }
  return read;
}

const isObject = (value: TaggedJson): value is { readonly [key: string]: TaggedJson } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function stepsAt(root: TaggedJson, path: readonly string[]): Set<string> {
  const steps = new Set<string>();
  for (const value of valuesAt(root, path))
    if (isObject(value))
      for (const key of Object.keys(value)) if (key.length <= VALUE_MAX_CHARS) steps.add(key.slice(1));
  return steps;
}

function scalarsAt(root: TaggedJson, path: readonly string[]): Set<string> {
  const values = new Set<string>();
  for (const value of valuesAt(root, path)) {
    if (typeof value === 'object' && value !== null) continue;
    const text = typeof value === 'string' ? value.slice(1) : String(value);
    if (text.length <= VALUE_MAX_CHARS) values.add(text);
  }
  return values;
}
