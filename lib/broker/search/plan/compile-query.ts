/**
 * A query for search.lua: where to look, between which scores, and a program that matches entries. Conditions on the queue are decided
 * here, for each shard.
 */
import type { JobState } from '@/lib/contract/jobs/job-states';
import { hidesNothing, type Redaction } from '@/lib/contract/redaction';
import { type Filter, normalise } from '@/lib/contract/search/query';
import { columnsToRead, isDeathState } from './columns-to-read';
import { canBeName, type IndexSource, indexSourcesOf, WHOLE_INDEX } from './index-sources';
import {
  costOf,
  joinPrograms,
  type MatchProgram,
  ProgramCompiler,
  type RowNeedle,
  rowNeedleOf,
  TEXT_TERMS_MAX,
} from './match-program';

export interface JobQuery {
  readonly state: JobState;
  readonly filter: Filter;
  /** What ages count back from. */
  readonly at: number;
  /** Only jobs that were in the state by then; null: all. */
  readonly cutoff: number | null;
  /** Only jobs that entered the state then or later, where its index tells when. */
  readonly since?: number | undefined;
}

export interface SearchPlan {
  /** No job of this shard can match. */
  readonly isEmpty: boolean;
  /** Bounds of the index's score, both included, as Redis writes them. */
  readonly low: string;
  readonly high: string;
  readonly sources: readonly IndexSource[];
  /** Null: every entry matches. */
  readonly program: MatchProgram | null;
  /** The filter without conditions on the queue, and without what the bounds already say. */
  readonly filterBesideRange: Filter;
  /** Columns search.lua must read; see lua/search/facts.lua. */
  readonly columns: string;
  /** Rows are read, which may be large. */
  readonly readsRows: boolean;
  /** What must occur in the rows of a match. */
  readonly needle: RowNeedle | null;
  /** Nothing can be judged without rows. */
  readonly needsRows: boolean;
  /** What must occur in the death row of a match, word by word. */
  readonly deathWords: readonly string[];
  /** Most entries and bytes of rows that one step reads. */
  readonly entriesPerStep: number;
  /** Most entries it judges; one that its death row rules out at a glance costs a third. */
  readonly judgedPerStep: number;
  readonly bytesPerStep: number;
}

/** In these states the index's score is when a job entered it: ages and cut-offs are ranges of it. */
const ENTERED_BY_SCORE: ReadonlySet<JobState> = new Set(['dead', 'suppressed', 'trashed', 'completed']);
const STEP_ENTRIES = 1_000;
const STEP_JUDGED = 500;
/** … where rows are read. */
const STEP_ROWS = 300;
/** Entries × conditions of a step. */
const STEP_JUDGEMENTS = 1_500;
const STEP_BYTES = 256 * 1024;

/** @param redaction of the queue: required to run a plan that reads payloads */
export function compileQuery(
  { state, filter, at, cutoff, since }: JobQuery,
  queue: string,
  redaction: Redaction | null = null,
): SearchPlan {
  const range = new ScoreRange(ENTERED_BY_SCORE.has(state), at);
  if (cutoff !== null) range.endAt(cutoff);
  if (since !== undefined) range.startAt(since);
  const ofShard = withQueue(normalOf(filter), queue);
  const normal = typeof ofShard === 'boolean' ? ofShard : normalise(ofShard);
  const terms = typeof normal === 'boolean' ? [] : normal.kind === 'and' ? normal.of : [normal];
  const rest = terms.filter((term) => !range.absorb(term));
  const filterBesideRange: Filter = rest.length === 0 ? { kind: 'all' } : { kind: 'and', of: rest };
  const sources = indexSourcesOf(filterBesideRange, state);
  const hides = redaction && !hidesNothing(redaction) ? redaction : null;
  const compiler = new ProgramCompiler(state, at, hides);
  const [only] = rest;
  const isOneRange = rest.length === 1 && only !== undefined && isFacetRange(only, state);
  const judged =
    normal === false ? false : rest.length === 0 || isOneRange ? true : compiler.op(filterBesideRange);
  const inTime = range.byScore || cutoff === null ? true : compiler.entered('<=', cutoff);
  const program = joinPrograms('and', [judged, inTime]);
  const columns = columnsToRead(state, compiler.fields);
  const readsRows = /[rho]/.test(columns);
  return {
    isEmpty: program === false || range.isEmpty,
    low: range.low,
    high: range.high,
    sources: sources.length > 0 ? sources : [WHOLE_INDEX],
    program: typeof program === 'boolean' ? null : program,
    filterBesideRange,
    columns,
    readsRows,
    needle: rowNeedleOf(rest, hides !== null),
    needsRows: rest.length > 0 && rest.every((term) => costOf(term) > 0),
    deathWords: isDeathState(state) ? deathWordsOf(rest) : [],
    entriesPerStep: readsRows ? STEP_ROWS : STEP_ENTRIES,
    judgedPerStep: Math.max(
      20,
      Math.min(STEP_JUDGED, Math.floor(STEP_JUDGEMENTS / Math.max(1, compiler.terms))),
    ),
    bytesPerStep: Math.floor(STEP_BYTES / Math.max(1, Math.min(compiler.texts, TEXT_TERMS_MAX) / 2)),
  };
}

/** The same filter is compiled for every shard, and a scope can make it long. */
const normals = new WeakMap<Filter, Filter>();
function normalOf(filter: Filter): Filter {
  const normal = normals.get(filter) ?? normalise(filter);
  normals.set(filter, normal);
  return normal;
}

const WORD_FIELDS: ReadonlySet<string> = new Set(['type', 'tenant', 'code', 'class', 'group']);
/** Spaces stand between the words of a death row; see docs/redis-keys.md. @param terms of an AND */
const deathWordsOf = (terms: readonly Filter[]): string[] =>
  terms.flatMap((term) =>
    term.kind === 'name' && WORD_FIELDS.has(term.field) && canBeName(term.value, term.prefix)
      ? [term.prefix || term.field === 'group' ? ` ${term.value}` : ` ${term.value} `]
      : [],
  );

/** Whether one facet's range of the index holds just the matches. */
const isFacetRange = (filter: Filter, state: JobState) => {
  const [source, ...others] = indexSourcesOf(filter, state);
  return (
    filter.kind === 'name' && others.length === 0 && source?.length === 1 && /^\w+=/.test(source[0] ?? '')
  );
};

function withQueue(filter: Filter, queue: string): Filter | boolean {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.of.map((part) => withQueue(part, queue));
      const decisive = filter.kind === 'or';
      if (parts.includes(decisive)) return decisive;
      const open = parts.filter((part) => typeof part !== 'boolean');
      return open.length === 0 ? !decisive : { kind: filter.kind, of: open };
    }
    case 'not': {
      const of = withQueue(filter.of, queue);
      return typeof of === 'boolean' ? !of : { kind: 'not', of };
    }
    case 'name':
      if (filter.field !== 'queue') return filter;
      return filter.prefix ? queue.startsWith(filter.value) : queue === filter.value;
    default:
      return filter;
  }
}

/** The index range that conditions on age leave. */
class ScoreRange {
  #low = Number.NEGATIVE_INFINITY;
  #high = Number.POSITIVE_INFINITY;
  constructor(
    readonly byScore: boolean,
    private readonly at: number,
  ) {}
  get low(): string {
    return this.#low === Number.NEGATIVE_INFINITY ? '-inf' : String(this.#low);
  }
  get high(): string {
    return this.#high === Number.POSITIVE_INFINITY ? '+inf' : String(this.#high);
  }
  get isEmpty(): boolean {
    return this.#low > this.#high;
  }
  endAt(ms: number): void {
    if (this.byScore) this.#high = Math.min(this.#high, ms);
  }
  startAt(ms: number): void {
    if (this.byScore) this.#low = Math.max(this.#low, ms);
  }
  /** True: the range covers the term. */
  absorb(term: Filter): boolean {
    if (!this.byScore || term.kind !== 'age') return false;
    const then = this.at - term.ms;
    if (term.compare === '>' || term.compare === '>=' || term.compare === '=')
      this.#high = Math.min(this.#high, term.compare === '>' ? then - 1 : then);
    if (term.compare === '<' || term.compare === '<=' || term.compare === '=')
      this.#low = Math.max(this.#low, term.compare === '<' ? then + 1 : then);
    return true;
  }
}
