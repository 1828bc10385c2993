/** A filter as a program for search.lua: an operation and its operands; see lua/search/matcher.lua. */
import type { JobState } from '@/lib/contract/jobs/job-states';
import { MASK, mayLieInMask, type Redaction } from '@/lib/contract/redaction';
import { asciiLower } from '@/lib/contract/redaction/fold-case';
import {
  type Comparison,
  type Filter,
  type NameList,
  nameListsIn,
  parseDecimal,
  payloadNeedle,
} from '@/lib/contract/search/query';
import { canBeName } from './index-sources';

export type MatchProgram = readonly [string, ...(string | number | false | MatchProgram)[]];

const REFERENCE_FIELDS: ReadonlySet<string> = new Set(['key', 'correlation', 'trace']);
/** As referenceSchema has it. */
const REFERENCE_PATTERN = /^[\x21-\x7e]{1,200}$/;

/** More conditions on text are judged by Node: each reads the whole payload. */
export const TEXT_TERMS_MAX = 8;
/** So many names of a list cost what one condition costs. */
const NAMES_A_TERM = 20;

/** A program as the arguments of a script. */
export function programArgs([what, ...operands]: MatchProgram): string[] {
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
            : ['p', ...programArgs(operand)],
    ),
  ];
}

const FLIPPED = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;
/** An equal number has the same digits, unless it is written with a point or an exponent. */
const PLAIN_WHOLE = /^-?[1-9][0-9]*$/;

export class ProgramCompiler {
  readonly fields = new Set<string>();
  terms = 0;
  texts = 0;
  constructor(
    private readonly state: JobState,
    private readonly at: number,
    private readonly redaction: Redaction | null,
  ) {}

  op(filter: Filter): MatchProgram | boolean {
    switch (filter.kind) {
      case 'all':
        return true;
      case 'and':
        return joinPrograms('and', this.#cheapFirst(filter.of));
      case 'or': {
        const { lists, others } = nameListsIn(filter.of);
        return joinPrograms('or', [...lists.map((list) => this.#among(list)), ...this.#cheapFirst(others)]);
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

  /** When the job entered its state, in ms; an age counts back from it. */
  entered(compare: Comparison, ms: number): MatchProgram {
    this.fields.add('entered');
    return ['entered', compare, ms];
  }

  #cheapFirst(parts: readonly Filter[]): (MatchProgram | boolean)[] {
    return [...parts].sort((a, b) => costOf(a) - costOf(b)).map((part) => this.op(part));
  }

  /** One text of all values: no name has a space. */
  #among({ field, values }: NameList): MatchProgram | boolean {
    const possible = values.filter((value) => canBeName(value, false));
    if (possible.length === 0) return false;
    this.fields.add(field);
    this.terms += Math.ceil(possible.length / NAMES_A_TERM);
    return ['among', field, ` ${possible.join(' ')} `];
  }

  #leaf(filter: Exclude<Filter, { kind: 'all' | 'and' | 'or' | 'not' }>): MatchProgram | boolean {
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
        // The mask of hidden values is in no stored row.
        if (this.redaction && mayLieInMask(filter.value)) return ['unsure'];
        return [
          'text',
          asciiLower(filter.value),
          JSON.stringify(asciiLower(filter.value)).slice(1, -1),
          ...(this.redaction?.words ?? []),
        ];
    }
  }

  #name(filter: Extract<Filter, { kind: 'name' }>): MatchProgram | boolean {
    const { field, value, prefix } = filter;
    if (REFERENCE_FIELDS.has(field)) {
      if (!REFERENCE_PATTERN.test(value)) return value === '' && prefix ? this.#hasReference(field) : false;
      this.fields.add('row');
      return ['reference', referenceJson(filter)];
    }
    if (!canBeName(value, prefix)) return false;
    if (this.state === 'completed' && field === 'operation') return prefix ? false : ['fulfilled', value];
    this.fields.add(field);
    return [prefix || field === 'group' ? 'begins' : 'is', field, value];
  }

  #hasReference(field: string): MatchProgram {
    this.fields.add('row');
    return ['reference', `"${field}":"`];
  }

  #payload({ path, compare, value, prefix }: Extract<Filter, { kind: 'payload' }>): MatchProgram {
    this.fields.add('row');
    this.texts += 1;
    const key = payloadNeedle(path);
    if (this.texts > TEXT_TERMS_MAX || !isSendable(value) || (key !== null && !isSendable(key)))
      return ['unsure'];
    // Equal numbers may be written differently, and an order cannot be found in the text.
    const masked = this.redaction !== null && (prefix ? MASK.startsWith(value) : value === MASK);
    const verbatim = compare === '=' && value !== '' && !masked && (prefix || parseDecimal(value) === null);
    const whole = compare === '=' && !prefix && PLAIN_WHOLE.test(value);
    return ['payload', key ?? false, verbatim || whole ? value : false, whole ? 1 : false];
  }
}

/** Half a surrogate pair would be changed on the way to Redis. */
const isSendable = (text: string) => text.isWellFormed();
export const costOf = (filter: Filter): number =>
  filter.kind === 'text' || filter.kind === 'payload'
    ? 2
    : filter.kind === 'and' || filter.kind === 'or'
      ? Math.max(...filter.of.map(costOf), 0)
      : filter.kind === 'not'
        ? costOf(filter.of)
        : filter.kind === 'name' && REFERENCE_FIELDS.has(filter.field)
          ? 1
          : 0;

export function joinPrograms(
  kind: 'and' | 'or',
  parts: readonly (MatchProgram | boolean)[],
): MatchProgram | boolean {
  const decisive = kind === 'or';
  if (parts.includes(decisive)) return decisive;
  const open = parts.filter((part) => typeof part !== 'boolean');
  const [first] = open;
  if (first === undefined) return !decisive;
  return open.length === 1 ? first : [kind, ...open];
}

/** A text that every match has in its rows: one look tells most other jobs apart. */
export interface RowNeedle {
  readonly needle: string;
  /** `text`: anywhere, whatever the case of A–Z; `row`: as it is in the job row. */
  readonly how: 'text' | 'row';
}

/** @param terms of an AND @param redacted payloads are matched with masks in place of hidden values */
export function rowNeedleOf(terms: readonly Filter[], redacted: boolean): RowNeedle | null {
  for (const term of terms)
    if (term.kind === 'text' && isAsInJson(term.value) && !(redacted && mayLieInMask(term.value)))
      return { needle: asciiLower(term.value), how: 'text' };
  for (const term of terms)
    if (term.kind === 'name' && REFERENCE_FIELDS.has(term.field) && REFERENCE_PATTERN.test(term.value))
      return { needle: referenceJson(term), how: 'row' };
  return null;
}

/** As it is in the second line of a row. */
function referenceJson({ field, value, prefix }: Extract<Filter, { kind: 'name' }>): string {
  const json = JSON.stringify(value);
  return `"${field}":${prefix ? json.slice(0, -1) : json}`;
}

/** Written in JSON without a backslash. */
const isAsInJson = (text: string) => JSON.stringify(text) === `"${text}"`;
