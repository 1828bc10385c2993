/**
 * A query as search.lua understands it: where to look, between which scores, and a program that judges what is found there.
 * A program is a list: what to do, then its operands; see lua/include/search-judge.lua, and `flat` for how it gets there. What depends on the place alone, such
 * as the queue, is decided here.
 */
import {
  asciiLower,
  type Comparison,
  type Filter,
  normalise,
  parseDecimal,
  payloadNeedle,
} from '@/lib/contract/query';
import { hidesNothing, MASK, mayLieInMask, type Redaction } from '@/lib/contract/redaction';
import type { JobState } from '@/lib/contract/states';
import { Bounds } from './bounds';
import { canBeName, listsIn, type NameList, REFERENCE, REFERENCE_FIELDS } from './names';
import { DEATHS, readsOf } from './reads';
import { type Required, referenceIn, requiredBy } from './required';
import { type Source, sourcesOf, wholeIndex } from './sources';

export interface Question {
  readonly state: JobState;
  readonly filter: Filter;
  /** What ages count back from. */
  readonly at: number;
  /** Only what was in its state by then; null: all. */
  readonly cutoff: number | null;
  /** Only what got there then or later, in states whose index says when that was. */
  readonly since?: number | undefined;
}

export type Op = readonly [string, ...(string | number | false | Op)[]];
export interface Plan {
  /** No job of this place fits, whatever is there. */
  readonly nothing: boolean;
  /** Bounds of the index's score, both included, as Redis writes them. */
  readonly low: string;
  readonly high: string;
  readonly sources: readonly Source[];
  /** Null: every entry fits. */
  readonly program: Op | null;
  /** The filter without what the bounds already say. */
  readonly timeless: Filter;
  /** Columns search.lua must read; see lua/include/search-facts.lua. */
  readonly reads: string;
  /** Rows are read, which may be large. */
  readonly heavy: boolean;
  /** What must occur in the rows of a match. */
  readonly required: Required | null;
  /** Nothing can be judged without rows. */
  readonly blind: boolean;
  /** What must occur in the row of deaths of a match, word by word. */
  readonly words: readonly string[];
  /** Entries and bytes of rows a step may look at, so that it stays short. */
  readonly entriesPerStep: number;
  readonly bytesPerStep: number;
}

/** In these states the index's score is when a job got there: ages and cut-offs are a range of it. */
const ENTERED_BY_SCORE: ReadonlySet<JobState> = new Set(['dead', 'suppressed', 'trashed', 'completed']);
const STEP_ENTRIES = 500;
/** … where rows are read. */
const STEP_ROWS = 300;
/** Entries × conditions of a step. */
const STEP_JUDGEMENTS = 1_500;
const STEP_BYTES = 256 * 1024;
/** More conditions on text than this are left to Node: each walks the whole payload. */
const TEXT_TERMS_MAX = 8;
/** So many names of a list cost what one condition does. */
const NAMES_A_TERM = 20;

/** @param hides what is hidden in payloads: without it the plan must not be carried out for a filter that looks inside them */
export function compile(
  { state, filter, at, cutoff, since }: Question,
  queue: string,
  hides: Redaction | null = null,
): Plan {
  const bounds = new Bounds(ENTERED_BY_SCORE.has(state), at);
  if (cutoff !== null) bounds.until(cutoff);
  if (since !== undefined) bounds.since(since);
  const fixed = withQueue(normalOf(filter), queue);
  const whole = typeof fixed === 'boolean' ? fixed : normalise(fixed);
  const terms = typeof whole === 'boolean' ? [] : whole.kind === 'and' ? whole.of : [whole];
  const rest = terms.filter((term) => !bounds.absorb(term));
  const needed: Filter = rest.length === 0 ? { kind: 'all' } : { kind: 'and', of: rest };
  const sources = sourcesOf(needed, state);
  const redacted = hides && !hidesNothing(hides) ? hides : null;
  const compiler = new Compiler(state, at, redacted);
  const [only] = rest;
  // One facet's range is all there is to it.
  const simple = rest.length === 1 && only !== undefined && isRange(only, state);
  const judged = whole === false ? false : rest.length === 0 || simple ? true : compiler.op(needed);
  const late = bounds.byScore || cutoff === null ? true : compiler.entered('<=', cutoff);
  const program = joined('and', [judged, late]);
  const reads = readsOf(state, compiler.fields);
  const heavy = /[rho]/.test(reads);
  return {
    nothing: program === false || bounds.empty,
    low: bounds.low,
    high: bounds.high,
    sources: sources.length > 0 ? sources : [wholeIndex],
    program: typeof program === 'boolean' ? null : program,
    timeless: needed,
    reads,
    heavy,
    required: requiredBy(rest, redacted !== null),
    blind: rest.length > 0 && rest.every((term) => costOf(term) > 0),
    words: isDeath(state) ? wordsOf(rest) : [],
    entriesPerStep: heavy
      ? STEP_ROWS
      : Math.max(20, Math.min(STEP_ENTRIES, Math.floor(STEP_JUDGEMENTS / Math.max(1, compiler.terms)))),
    bytesPerStep: Math.floor(STEP_BYTES / Math.max(1, Math.min(compiler.texts, TEXT_TERMS_MAX) / 2)),
  };
}

/** The same filter is compiled for every place, and may be long: where somebody may look is part of it. */
const normals = new WeakMap<Filter, Filter>();
function normalOf(filter: Filter): Filter {
  const known = normals.get(filter) ?? normalise(filter);
  normals.set(filter, known);
  return known;
}

const WORD_FIELDS: ReadonlySet<string> = new Set(['type', 'tenant', 'code', 'class', 'group']);
/** Words of a row of deaths stand between spaces; see docs/redis-keys.md. @param terms which all must hold */
const wordsOf = (terms: readonly Filter[]): string[] =>
  terms.flatMap((term) =>
    term.kind === 'name' && WORD_FIELDS.has(term.field) && canBeName(term.value, term.prefix)
      ? [term.prefix || term.field === 'group' ? ` ${term.value}` : ` ${term.value} `]
      : [],
  );

/** A program as the arguments of a script. */
export function flat([what, ...operands]: Op): string[] {
  return [
    what,
    String(operands.length),
    ...operands.flatMap((operand) =>
      typeof operand === 'string'
        ? [`s${operand}`]
        : typeof operand === 'number'
          ? [`n${operand}`]
          : operand === false
            ? ['f']
            : ['p', ...flat(operand)],
    ),
  ];
}

const isRange = (filter: Filter, state: JobState) => {
  const [source, ...others] = sourcesOf(filter, state);
  return (
    filter.kind === 'name' && others.length === 0 && source?.length === 1 && /^\w+=/.test(source[0] ?? '')
  );
};

/** Conditions on the queue are decided by the place. */
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

const FLIPPED = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;
/** Digits that no other number has, unless it is written with a point or an exponent. */
const PLAIN_WHOLE = /^-?[1-9][0-9]*$/;

class Compiler {
  readonly fields = new Set<string>();
  terms = 0;
  texts = 0;
  constructor(
    private readonly state: JobState,
    private readonly at: number,
    private readonly hides: Redaction | null,
  ) {}

  op(filter: Filter): Op | boolean {
    switch (filter.kind) {
      case 'all':
        return true;
      case 'and':
        return joined('and', this.#cheapFirst(filter.of));
      case 'or': {
        const { lists, others } = listsIn(filter.of);
        return joined('or', [...lists.map((list) => this.#among(list)), ...this.#cheapFirst(others)]);
      }
      case 'not': {
        const of = this.op(filter.of);
        return typeof of === 'boolean' ? !of : ['not', of];
      }
      default:
        this.terms += 1;
        return this.#leaf(filter);
    }
  }

  /** When it got into its state, in ms, and not how long ago. */
  entered(compare: Comparison, ms: number): Op {
    this.fields.add('entered');
    return ['entered', compare, ms];
  }

  #cheapFirst(parts: readonly Filter[]): (Op | boolean)[] {
    return [...parts].sort((a, b) => costOf(a) - costOf(b)).map((part) => this.op(part));
  }

  /** Values stand between spaces, which no name has. */
  #among({ field, values }: NameList): Op | boolean {
    const some = values.filter((value) => canBeName(value, false));
    if (some.length === 0) return false;
    this.fields.add(field);
    this.terms += Math.ceil(some.length / NAMES_A_TERM);
    return ['among', field, ` ${some.join(' ')} `];
  }

  #leaf(filter: Exclude<Filter, { kind: 'all' | 'and' | 'or' | 'not' }>): Op | boolean {
    switch (filter.kind) {
      case 'name':
        return this.#name(filter);
      case 'number':
        this.fields.add(filter.field);
        return ['number', filter.field, filter.compare, filter.value];
      case 'age':
        return this.entered(FLIPPED[filter.compare], this.at - filter.ms);
      case 'payload':
        return this.#payload(filter);
      case 'text':
        for (const field of ['text', 'row', 'type', 'code']) this.fields.add(field);
        this.texts += 1;
        if (this.texts > TEXT_TERMS_MAX || !isSendable(filter.value)) return ['unsure'];
        // What is in what stands for hidden values is in no stored row.
        if (this.hides && mayLieInMask(filter.value)) return ['unsure'];
        return [
          'text',
          asciiLower(filter.value),
          JSON.stringify(asciiLower(filter.value)).slice(1, -1),
          ...(this.hides?.words ?? []),
        ];
    }
  }

  #name(filter: Extract<Filter, { kind: 'name' }>): Op | boolean {
    const { field, value, prefix } = filter;
    if (REFERENCE_FIELDS.has(field)) {
      if (!REFERENCE.test(value)) return value === '' && prefix ? this.#hasReference(field) : false;
      this.fields.add('row');
      return ['reference', referenceIn(filter)];
    }
    if (!canBeName(value, prefix)) return false;
    if (this.state === 'completed' && field === 'operation') return prefix ? false : ['fulfilled', value];
    this.fields.add(field);
    return [prefix || field === 'group' ? 'begins' : 'is', field, value];
  }

  #hasReference(field: string): Op {
    this.fields.add('row');
    return ['reference', `"${field}":"`];
  }

  #payload({ path, compare, value, prefix }: Extract<Filter, { kind: 'payload' }>): Op {
    this.fields.add('row');
    this.texts += 1;
    const key = payloadNeedle(path);
    if (this.texts > TEXT_TERMS_MAX || !isSendable(value) || (key !== null && !isSendable(key)))
      return ['unsure'];
    // Equal numbers need not be written alike, and ordered ones are not.
    const masked = this.hides !== null && (prefix ? MASK.startsWith(value) : value === MASK);
    const verbatim = compare === '=' && value !== '' && !masked && (prefix || parseDecimal(value) === null);
    const whole = compare === '=' && !prefix && PLAIN_WHOLE.test(value);
    return ['payload', key ?? false, verbatim || whole ? value : false, whole ? 1 : false];
  }
}

/** What the way to Redis leaves as it is. */
const isSendable = (text: string) => text.isWellFormed();
const costOf = (filter: Filter): number =>
  filter.kind === 'text' || filter.kind === 'payload'
    ? 2
    : filter.kind === 'and' || filter.kind === 'or'
      ? Math.max(...filter.of.map(costOf), 0)
      : filter.kind === 'not'
        ? costOf(filter.of)
        : filter.kind === 'name' && REFERENCE_FIELDS.has(filter.field)
          ? 1
          : 0;

function joined(kind: 'and' | 'or', parts: readonly (Op | boolean)[]): Op | boolean {
  const decisive = kind === 'or';
  if (parts.includes(decisive)) return decisive;
  const open = parts.filter((part) => typeof part !== 'boolean');
  const [first] = open;
  if (first === undefined) return !decisive;
  return open.length === 1 ? first : [kind, ...open];
}

export const isDeath = (state: JobState): boolean => DEATHS.has(state);
