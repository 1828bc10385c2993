/** The token at the caret, for autocomplete. The text need not be a valid query yet. */
import type { Comparison } from './filter';
import { type FieldToken, lexQuery, type QueryToken } from './lex-query';
import { isSpace } from './query-syntax';

interface Place {
  /** The typed letters, without quotes. */
  readonly prefix: string;
  /** The letters that a suggestion replaces. */
  readonly from: number;
  readonly to: number;
}
export type CaretToken =
  /** A term's beginning: a field, or free text. A suggested field brings its colon. */
  | (Place & { readonly kind: 'field' })
  /** `insert` must be as `printValue` writes it. */
  | (Place & { readonly kind: 'value'; readonly field: string; readonly compare: Comparison | null })
  /** A step of a payload path, after those in `path`. */
  | (Place & { readonly kind: 'path'; readonly path: readonly string[] })
  | (Place & {
      readonly kind: 'payload';
      readonly path: readonly string[];
      readonly compare: Comparison | null;
    })
  /** In free text in quotes: nothing to suggest. */
  | (Place & { readonly kind: 'text' });

export function tokenAt(text: string, caret: number): CaretToken {
  const at = Math.max(0, Math.min(caret, text.length));
  const tokens = lexQuery(text.slice(0, at));
  const last = tokens.at(-1);
  const field = fieldBefore(tokens);
  const touching = last !== undefined && last.to === at;

  if (last?.kind === 'bad' && touching && last.began) {
    const { began } = last;
    if (began.kind === 'quote') {
      const place = { prefix: began.text, from: last.from, to: closing(text, at) };
      return began.value && field ? typingOf(field, null, place) : { kind: 'text', ...place };
    }
    const typed = text.slice(began.stepFrom, at);
    const open = typed.startsWith('"');
    return {
      kind: 'path',
      path: began.steps,
      prefix: open ? typed.slice(1) : typed,
      from: began.stepFrom,
      to: open ? closing(text, at) : wordEnd(text, at, '.:'),
    };
  }
  if (last?.kind === 'field' && touching)
    return typingOf(last, null, { prefix: '', from: at, to: wordEnd(text, at) });
  if (last?.kind === 'value' && touching && field) {
    const from = last.from + (last.compare?.length ?? 0);
    return typingOf(field, last.compare, {
      prefix: last.text,
      from,
      to: last.quoted ? at : wordEnd(text, at),
    });
  }
  if (last?.kind === 'text' && touching) {
    if (last.quoted) return { kind: 'text', prefix: last.text, from: last.from, to: at };
    return { kind: 'field', prefix: last.text, from: last.from, to: fieldEnd(text, at) };
  }
  // Inside parentheses after a field, where a value may come next.
  if (field && last && (last.kind === '(' || last.kind === 'OR'))
    return typingOf(field, null, { prefix: '', from: at, to: wordEnd(text, at) });
  const from =
    touching && (last.kind === 'AND' || last.kind === 'OR' || last.kind === 'NOT' || last.kind === 'bad')
      ? last.from
      : at;
  return { kind: 'field', prefix: text.slice(from, at), from, to: fieldEnd(text, at) };
}

/** The field of the last token, which is its value or stands in its parentheses. */
function fieldBefore(tokens: readonly QueryToken[]): FieldToken | null {
  for (let i = tokens.length - 1; i >= 0; i -= 1) {
    const token = tokens[i];
    const before = tokens[i - 1];
    if (token?.kind === 'value' || token?.kind === 'OR' || token?.kind === 'bad') continue;
    if (token?.kind === 'field') return i === tokens.length - 2 ? token : null;
    return token?.kind === '(' && before?.kind === 'field' && before.to === token.from ? before : null;
  }
  return null;
}

const typingOf = (field: FieldToken, compare: Comparison | null, place: Place): CaretToken =>
  field.path === null
    ? { kind: 'value', field: field.name, compare, ...place }
    : { kind: 'payload', path: field.path, compare, ...place };

function wordEnd(text: string, from: number, stops = ''): number {
  let to = from;
  while (
    to < text.length &&
    !isSpace(text[to] ?? '') &&
    !'()"'.includes(text[to] ?? '') &&
    !stops.includes(text[to] ?? '')
  )
    to += 1;
  return to;
}
/** A field is replaced with its colon. */
function fieldEnd(text: string, from: number): number {
  const to = wordEnd(text, from, ':');
  return text[to] === ':' ? to + 1 : to;
}
/** After the quote that closes the one we are in; without one, here. */
function closing(text: string, from: number): number {
  for (let i = from; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === '"') return i + 1;
  }
  return from;
}
