/**
 * Text into a filter. One pass of tokens, then descent by the grammar of docs/search.md; how deep it may go is bounded before it
 * goes there. It never throws: an error comes back with its position in the text.
 */
import { RedriveError } from '@/lib/contract/redrive-error';
import { FIELDS } from './field-names';
import { type Filter, QUERY_MAX_CHARS, QUERY_MAX_DEPTH, QUERY_MAX_TERMS } from './filter';
import { type FieldToken, lexQuery, type QuerySpan, type QueryToken } from './lex-query';
import { normalise } from './normalise-filter';
import { parseCondition, unknownField } from './parse-condition';

/** How many steps a payload path has at most. */
export const QUERY_MAX_PATH_STEPS = 20;

export interface QueryError {
  readonly message: string;
  /** Which letters are wrong: from 0, in UTF-16 units as in `String.slice`. */
  readonly position: number;
  readonly length: number;
  /** A replacement for those letters; null: none. */
  readonly suggestion: string | null;
}
export type ParsedQuery =
  | { readonly ok: true; readonly filter: Filter }
  | { readonly ok: false; readonly error: QueryError };

/** Half a character: no such text can be sent to Redis, or stand in a link. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Carries the first error out of the descent; never leaves this file. */
class Stop extends Error {
  readonly error: QueryError;
  constructor(error: QueryError) {
    super(error.message);
    this.error = error;
  }
}
function stop({ from, to }: QuerySpan, message: string, suggestion: string | null = null): never {
  throw new Stop({ message: `${message}.`, position: from, length: to - from, suggestion });
}

export function parseQuery(text: string): ParsedQuery {
  try {
    if (text.length > QUERY_MAX_CHARS)
      stop({ from: QUERY_MAX_CHARS, to: text.length }, `A query has at most ${QUERY_MAX_CHARS} characters`);
    const half = text.search(LONE_SURROGATE);
    if (half >= 0)
      stop({ from: half, to: half + 1 }, 'This is half a character; it cannot be looked for', '');
    return { ok: true, filter: normalise(new Descent(text).whole()) };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, error: error.error };
    throw error;
  }
}

/** @throws RedriveError BAD_QUERY with the position and a suggestion */
export function parseQueryOrThrow(text: string, field = 'q'): Filter {
  const parsed = parseQuery(text);
  if (parsed.ok) return parsed.filter;
  const { message, position, suggestion } = parsed.error;
  const hint = suggestion ? ` Did you mean ${suggestion} there?` : '';
  const detail = `At character ${position + 1}: ${message}${hint}`;
  throw new RedriveError('BAD_QUERY', detail, { fields: [{ field, message: detail }] });
}

class Descent {
  private readonly tokens: readonly QueryToken[];
  private readonly text: string;
  private next = 0;
  private terms = 0;
  constructor(text: string) {
    this.text = text;
    this.tokens = lexQuery(text);
  }

  whole(): Filter {
    if (this.tokens.length === 0) return { kind: 'all' };
    const filter = this.or(0);
    const rest = this.peek();
    if (rest) stop(rest, 'This ) closes nothing', '');
    return filter;
  }

  private peek(): QueryToken | undefined {
    const token = this.tokens[this.next];
    if (token?.kind === 'bad') stop(token, token.message, token.suggestion);
    return token;
  }

  private or(depth: number): Filter {
    const of = [this.and(depth)];
    while (this.peek()?.kind === 'OR') {
      this.next += 1;
      of.push(this.and(depth));
    }
    return { kind: 'or', of };
  }

  private and(depth: number): Filter {
    const of = [this.unary(depth)];
    for (;;) {
      const token = this.peek();
      if (!token || token.kind === ')' || token.kind === 'OR') return { kind: 'and', of };
      if (token.kind === 'AND') this.next += 1;
      of.push(this.unary(depth));
    }
  }

  private unary(depth: number): Filter {
    let negate = false;
    let token = this.peek();
    while (token?.kind === '-' || token?.kind === 'NOT') {
      negate = !negate;
      this.next += 1;
      token = this.peek();
    }
    const filter = this.primary(token, depth);
    return negate ? { kind: 'not', of: filter } : filter;
  }

  private primary(token: QueryToken | undefined, depth: number): Filter {
    if (token?.kind === '(') {
      this.enter(token, depth);
      const first = this.peek();
      if (first?.kind === ')')
        stop({ from: token.from, to: first.to }, 'There is nothing in these parentheses', '');
      const filter = this.or(depth + 1);
      this.close(token);
      return filter;
    }
    if (token?.kind === 'text') {
      this.next += 1;
      this.count(token);
      if (token.text === '') stop(token, 'There is nothing to look for here', '');
      if (token.star)
        stop(
          token,
          'Text is found wherever it stands; leave the * out',
          this.text.slice(token.from, token.to - 1),
        );
      return { kind: 'text', value: token.text };
    }
    if (token?.kind === 'field') {
      this.next += 1;
      return this.field(token, depth);
    }
    // Nothing can begin here: a closing parenthesis, AND, OR, or the end.
    if (token?.kind === ')' && depth === 0) return stop(token, 'This ) closes nothing', '');
    const before = this.tokens[this.next - 1];
    if (before) return stop(before, `Something is missing after ${this.text.slice(before.from, before.to)}`);
    const at = token ?? { from: 0, to: this.text.length };
    return stop(at, `Something is missing before ${this.text.slice(at.from, at.to)}`, '');
  }

  private field(field: FieldToken, depth: number): Filter {
    if (field.path && field.path.length > QUERY_MAX_PATH_STEPS)
      stop(field, `A payload path has at most ${QUERY_MAX_PATH_STEPS} steps`);
    const token = this.peek();
    const direct = token !== undefined && token.from === field.to;
    if (direct && token.kind === 'value') return this.value(field);
    if (!direct || token.kind !== '(') return this.valueless(field, token);
    this.enter(token, depth);
    const of: Filter[] = [];
    for (;;) {
      const value = this.peek();
      if (value?.kind !== 'value')
        return stop(value ?? token, value ? 'A value is missing here' : 'This ( is not closed', null);
      of.push(this.value(field));
      const after = this.peek();
      if (after?.kind === 'value')
        return stop(
          after,
          'Between values in parentheses write OR',
          `OR ${this.text.slice(after.from, after.to)}`,
        );
      if (after?.kind !== 'OR') break;
      this.next += 1;
    }
    this.close(token);
    return { kind: 'or', of };
  }

  private value(field: FieldToken): Filter {
    const value = this.peek();
    if (value?.kind !== 'value') return stop(field, 'A value is missing here');
    this.next += 1;
    this.count(value);
    const made = parseCondition(field, value, this.text);
    if (made.kind === 'bad') return stop(made.at ?? value, made.message, made.suggestion);
    if (made.kind === 'and' || (made.kind === 'payload' && made.upTo !== undefined)) this.count(value);
    return made;
  }

  /** A field with nothing after its colon; perhaps what follows a space is meant. */
  private valueless(field: FieldToken, token: QueryToken | undefined): never {
    const name = this.text.slice(field.from, field.to);
    const known = field.path !== null || (FIELDS as readonly string[]).includes(field.name);
    if (!known || (field.name === 'payload' && !field.path)) {
      const made = unknownField(field, this.text);
      if (made.kind === 'bad') return stop(made.at ?? field, made.message, made.suggestion);
    }
    const word = token?.kind === 'text' ? this.text.slice(token.from, token.to) : null;
    if (token && word !== null)
      return stop(
        { from: field.from, to: token.to },
        `Nothing may stand between ${name} and its value`,
        name + word,
      );
    return stop(field, `Say what ${name.slice(0, -1)} is to be`, name.startsWith('age') ? null : `${name}*`);
  }

  private enter(paren: QuerySpan, depth: number): void {
    if (depth >= QUERY_MAX_DEPTH) stop(paren, `Parentheses go at most ${QUERY_MAX_DEPTH} deep`);
    this.next += 1;
  }
  private close(open: QuerySpan): void {
    const token = this.peek();
    if (token?.kind !== ')') stop(open, 'This ( is not closed');
    this.next += 1;
  }
  private count(at: QuerySpan): void {
    this.terms += 1;
    if (this.terms > QUERY_MAX_TERMS) stop(at, `A query has at most ${QUERY_MAX_TERMS} terms`);
  }
}
