/** What may stand at the caret of a query: fields, and values and payload paths from what is really there. */
import type { Suggestion } from '@/lib/contract/dead';
import { CLASS_MEANING, ERROR_CLASSES } from '@/lib/contract/failures';
import type { Within } from '@/lib/contract/permissions';
import {
  FIELD_HINTS,
  FIELDS,
  type Filter,
  type JobFacts,
  narrowedTo,
  parseQuery,
  printPath,
  printValue,
  readTagged,
  type Tagged,
  type Typing,
  tokenAt,
  valuesAt,
} from '@/lib/contract/query';
import type { JobState } from '@/lib/contract/states';
import { queueNames } from '../inspect/registry';
import type { ShardedContext } from '../shards';
import { census } from './census';
import { factsOfEntries } from './entry-facts';
import { type Entry, openMerge } from './merge';
import { openSearch, reachedBy, type Search } from './request';
import { Tally } from './tally';

export interface SuggestScope {
  q: string;
  caret: number;
  state?: JobState | undefined;
  queue?: string | undefined;
  /** Only from what lies within; left out: everything. */
  within?: Within | undefined;
}

const SUGGESTIONS_MAX = 20;
/** Jobs whose payloads and references are looked into, and bytes of those: the newest. */
const SAMPLE_JOBS = 100;
const SAMPLE_CHARS = 1_000_000;
/** Entries looked at to find them. */
const SAMPLE_BUDGET = 5_000;
const VALUE_MAX_CHARS = 100;
const AGES = ['5m', '1h', '24h', '7d'];

/** Never throws for what is typed: half a query is what it is for. */
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
      const question = { ...search.question, filter: narrowedTo(restOf(q, typing), search.within) };
      return valuesFor(ctx, { ...search, question }, typing);
    }
  }
}

function fieldsFor({ prefix, from, to }: Typing): Suggestion[] {
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

/** What else is asked for, if it can be read without the term that is being typed. */
function restOf(q: string, { from, to }: Typing): Filter {
  let start = from;
  while (start > 0 && !' \t()'.includes(q[start - 1] ?? ' ')) start -= 1;
  const parsed = parseQuery(`${q.slice(0, start)} ${q.slice(to)}`);
  return parsed.ok ? parsed.filter : { kind: 'all' };
}

type Valued = Exclude<Typing, { kind: 'field' | 'text' }>;

async function valuesFor(ctx: ShardedContext, search: Search, typing: Valued): Promise<Suggestion[]> {
  if (typing.kind === 'path') {
    const steps = new Tally();
    for (const root of await payloads(ctx, search))
      for (const step of stepsAt(root, typing.path)) steps.add(step, 1);
    return offered(typing, steps, 'path', (step) => printPath([step]).slice('payload.'.length));
  }
  if (typing.kind === 'payload') {
    const values = new Tally();
    for (const root of await payloads(ctx, search))
      for (const value of scalarsAt(root, typing.path)) values.add(value, 1);
    return offered(typing, values, 'value', printValue);
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
  return offered(typing, await valuesOf(ctx, search, typing.field), 'value', printValue);
}

async function valuesOf(ctx: ShardedContext, search: Search, field: string): Promise<Tally> {
  const values = new Tally();
  switch (field) {
    case 'type':
    case 'tenant':
    case 'code':
    case 'class':
    case 'group':
    case 'version':
    case 'attempts':
    case 'queue': {
      for (const { place, cells } of (await census(ctx, search)).parts)
        for (const { of, count } of cells) {
          const value = field === 'queue' ? place.queue : of[field];
          if (value !== null) values.add(String(value), count);
        }
      // What nothing has just now may be asked for all the same, as long as it exists.
      if (values.size === 0 && field === 'queue')
        for (const name of reachedBy(search.within, await queueNames(ctx))) values.add(name, 1);
      if (values.size === 0 && field === 'class') for (const name of ERROR_CLASSES) values.add(name, 1);
      return values;
    }
    case 'id':
    case 'key':
    case 'correlation':
    case 'trace':
    case 'operation':
    case 'priority': {
      for (const facts of await sampledFacts(ctx, search)) {
        const value = facts[field];
        if (value !== null) values.add(String(value), 1);
      }
      return values;
    }
    default:
      return values;
  }
}

function offered(
  { prefix, from, to, ...typing }: Valued,
  values: Tally,
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
          ? (new Map<string, string>(Object.entries(CLASS_MEANING)).get(value) ?? null)
          : null,
      count,
    }));
}

async function sampledFacts(
  ctx: ShardedContext,
  { question, places, order, within }: Search,
  payloads = false,
): Promise<JobFacts[]> {
  const merge = await openMerge(ctx, places, question, order, null);
  const entries: Entry[] = [];
  while (entries.length < SAMPLE_JOBS && !merge.finished && merge.scanned < SAMPLE_BUDGET)
    entries.push(...(await merge.pump(SAMPLE_JOBS - entries.length, SAMPLE_BUDGET - merge.scanned)));
  const found = await factsOfEntries(ctx, question.state, entries, { payloads, within });
  return found.map(({ facts }) => facts);
}

async function payloads(ctx: ShardedContext, search: Search): Promise<Tagged[]> {
  const read: Tagged[] = [];
  let chars = 0;
  for (const { payload } of await sampledFacts(ctx, search, true)) {
    if (payload === null || chars > SAMPLE_CHARS) continue;
    chars += payload.length;
    const value = readTagged(payload);
    if (value !== undefined) read.push(value);
  }
  return read;
}

const isObject = (value: Tagged): value is { readonly [key: string]: Tagged } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function stepsAt(root: Tagged, path: readonly string[]): Set<string> {
  const steps = new Set<string>();
  for (const value of valuesAt(root, path))
    if (isObject(value))
      for (const key of Object.keys(value)) if (key.length <= VALUE_MAX_CHARS) steps.add(key.slice(1));
  return steps;
}

function scalarsAt(root: Tagged, path: readonly string[]): Set<string> {
  const values = new Set<string>();
  for (const value of valuesAt(root, path)) {
    if (typeof value === 'object' && value !== null) continue;
    const text = typeof value === 'string' ? value.slice(1) : String(value);
    if (text.length <= VALUE_MAX_CHARS) values.add(text);
  }
  return values;
}
