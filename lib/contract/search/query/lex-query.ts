/**
 * Cuts a query into tokens, in one pass. It never fails: wrong text becomes a `bad` token that says why, so that the same tokens serve the
 * parser, which stops there, and the caret (caret-token.ts), which reads unfinished text.
 */
import type { Comparison } from './filter';
import { CURLY_QUOTES, endsWord, isKeyword, isSpace, PAYLOAD_PREFIX, quote } from './query-syntax';

export interface QuerySpan {
  readonly from: number;
  readonly to: number;
}
export interface QueryFault {
  readonly message: string;
  /** A replacement; null: none. */
  readonly suggestion: string | null;
}
/** A value after a field's colon, or (without compare) free text. */
export interface ValueToken extends QuerySpan {
  readonly text: string;
  readonly quoted: boolean;
  /** Ends in a `*` outside quotes. */
  readonly star: boolean;
  readonly compare: Comparison | null;
}
export interface FieldToken extends QuerySpan {
  readonly name: string;
  /** The steps of a payload path. */
  readonly path: readonly string[] | null;
}
export type QueryToken =
  | (QuerySpan & { readonly kind: '(' | ')' | '-' | 'AND' | 'OR' | 'NOT' })
  /** `to` is after the colon. */
  | (FieldToken & { readonly kind: 'field' })
  | (ValueToken & { readonly kind: 'value' | 'text' })
  | (QuerySpan &
      QueryFault & {
        readonly kind: 'bad';
        /** What it began as, for the caret. */
        readonly began?:
          | { readonly kind: 'quote'; readonly text: string; readonly value: boolean }
          | { readonly kind: 'path'; readonly steps: readonly string[]; readonly stepFrom: number };
      });

export function lexQuery(text: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  let at = 0;
  /** Inside `field:( … )`, and what comes next there: values and ORs take turns. */
  let group: 'value' | 'or' | null = null;

  const wordEnd = (from: number, stops = ''): number => {
    let to = from;
    while (to < text.length) {
      const char = text[to] ?? '';
      if (endsWord(char) || stops.includes(char)) break;
      to += 1;
    }
    return to;
  };
  /** To the next space, whatever is in between. */
  const clumpEnd = (from: number): number => {
    let to = from;
    while (to < text.length && !isSpace(text[to] ?? '')) to += 1;
    return to;
  };
  const bad = (from: number, to: number, message: string, suggestion: string | null): number => {
    tokens.push({ kind: 'bad', from, to, message, suggestion });
    return to;
  };

  /** The text between quotes, from the opening one on; null: it is wrong, and a bad token says why. */
  const quoted = (from: number, value: boolean): { text: string; to: number } | null => {
    let out = '';
    let i = from + 1;
    for (; i < text.length && text[i] !== '"'; i += 1) {
      if (text[i] === '\\' && i + 1 < text.length) {
        const next = text[i + 1];
        if (next !== '"' && next !== '\\') {
          bad(i, i + 1, 'Inside quotes a backslash is written twice', '\\\\');
          at = clumpEnd(i);
          return null;
        }
        i += 1;
      }
      out += text[i];
    }
    if (i < text.length) return { text: out, to: i + 1 };
    tokens.push({
      kind: 'bad',
      from,
      to: text.length,
      message: 'These quotes are not closed',
      suggestion: quote(out),
      began: { kind: 'quote', text: out, value },
    });
    at = text.length;
    return null;
  };

  const pushWord = (
    kind: 'value' | 'text',
    from: number,
    start: number,
    compare: Comparison | null,
  ): void => {
    if (text[start] === '"') {
      const inside = quoted(start, kind === 'value');
      if (!inside) return;
      const star = text[inside.to] === '*';
      const to = inside.to + (star ? 1 : 0);
      const next = text[to] ?? ' ';
      if (next !== ')' && !isSpace(next)) {
        const message =
          next === ':' ? 'A field is written without quotes' : 'Put a space after the closing quote';
        at = bad(
          from,
          clumpEnd(to),
          message,
          next === ':' ? null : `${text.slice(from, to)} ${text.slice(to, clumpEnd(to))}`,
        );
        return;
      }
      tokens.push({ kind, from, to, text: inside.text, quoted: true, star, compare });
      at = to;
      return;
    }
    const to = wordEnd(start);
    const word = text.slice(start, to);
    const next = text[to] ?? ' ';
    if (next === '(' || next === '"') {
      const end = clumpEnd(to);
      const what = next === '(' ? 'parentheses' : 'a quote';
      at = bad(start, end, `Put quotes around what holds ${what}`, quote(text.slice(start, end)));
      return;
    }
    if (CURLY_QUOTES.includes(word[0] ?? ' ')) {
      let end = start + 1;
      while (end < text.length && !CURLY_QUOTES.includes(text[end] ?? ' ')) end += 1;
      const inside = end < text.length ? text.slice(start + 1, end) : word.slice(1);
      const past = end < text.length ? end + 1 : to;
      bad(start, past, 'Use straight quotes: "', quote(inside));
      at = Math.max(past, to);
      return;
    }
    const star = word.indexOf('*');
    if (star >= 0 && star < word.length - 1) {
      at = bad(
        start,
        to,
        'A * stands only at the end of a value; a * that is meant goes in quotes',
        quote(word),
      );
      return;
    }
    tokens.push({
      kind,
      from,
      to,
      text: star < 0 ? word : word.slice(0, -1),
      quoted: false,
      star: star >= 0,
      compare,
    });
    at = to;
  };

  const pushValue = (): void => {
    const from = at;
    const two = text.slice(at, at + 2);
    const one = text[at] ?? '';
    const compare: Comparison | null =
      two === '<=' || two === '>=' ? two : one === '<' || one === '>' || one === '=' ? one : null;
    pushWord('value', from, from + (compare?.length ?? 0), compare);
  };

  /** After the colon, with nothing in between, comes the value, or a parenthesis around several. */
  const pushAfterField = (): void => {
    if (at >= text.length || isSpace(text[at] ?? '') || text[at] === ')') return;
    if (text[at] === '(') {
      tokens.push({ kind: '(', from: at, to: at + 1 });
      at += 1;
      group = 'value';
    } else pushValue();
  };

  const pushPath = (): void => {
    const from = at;
    const steps: string[] = [];
    at += PAYLOAD_PREFIX.length;
    for (;;) {
      const stepFrom = at;
      let step: string;
      if (text[at] === '"') {
        const inside = quoted(at, false);
        if (!inside) {
          const last = tokens.pop();
          if (last?.kind === 'bad') tokens.push({ ...last, began: { kind: 'path', steps, stepFrom } });
          return;
        }
        step = inside.text;
        at = inside.to;
      } else {
        at = wordEnd(at, '.:');
        step = text.slice(stepFrom, at);
        if (step.includes('*')) {
          at = bad(stepFrom, at, 'A path names each step; lists are looked through without a *', quote(step));
          at = clumpEnd(at);
          return;
        }
      }
      const next = text[at];
      const empty = at === stepFrom;
      if (!empty && next === '.') {
        steps.push(step);
        at += 1;
        continue;
      }
      if (!empty && next === ':') {
        at += 1;
        tokens.push({ kind: 'field', from, to: at, name: 'payload', path: [...steps, step] });
        pushAfterField();
        return;
      }
      const to = clumpEnd(at);
      const message = empty
        ? 'This payload path lacks a step, as in payload.order.id:42'
        : `Say what ${text.slice(from, at)} is to be, as in payload.order.id:42`;
      const suggestion = empty || next === '(' || next === '"' ? null : `${text.slice(from, at)}:*`;
      tokens.push({ kind: 'bad', from, to, message, suggestion, began: { kind: 'path', steps, stepFrom } });
      at = to;
      return;
    }
  };

  const pushTerm = (): void => {
    const from = at;
    if (text.startsWith(PAYLOAD_PREFIX, at)) {
      pushPath();
      return;
    }
    const to = wordEnd(at, ':');
    const word = text.slice(from, to);
    if (text[to] === ':') {
      if (word === '') {
        at = bad(
          from,
          clumpEnd(to),
          'Name a field before the colon, or put quotes around text that holds one',
          quote(text.slice(from, clumpEnd(to))),
        );
        return;
      }
      at = to + 1;
      tokens.push({ kind: 'field', from, to: at, name: word, path: null });
      pushAfterField();
      return;
    }
    const next = text[to] ?? ' ';
    if (word === 'AND' || word === 'OR' || word === 'NOT') {
      tokens.push({ kind: word, from, to });
      at = to;
      return;
    }
    if (isKeyword(word) && next !== '"') {
      const upper = word.toUpperCase();
      at = bad(from, to, `Write ${upper} in capitals, or "${word}" in quotes`, upper);
      return;
    }
    pushWord('text', from, from, null);
  };

  while (at < text.length) {
    const char = text[at] ?? '';
    if (isSpace(char)) at += 1;
    else if (char === ')' || (char === '(' && group === null)) {
      tokens.push({ kind: char, from: at, to: at + 1 });
      if (char === ')') group = null;
      at += 1;
    } else if (group !== null) {
      if (group === 'or' && text.slice(at, wordEnd(at)) === 'OR') {
        tokens.push({ kind: 'OR', from: at, to: at + 2 });
        at += 2;
        group = 'value';
      } else if (char === '(')
        at = bad(at, at + 1, 'Values in parentheses have no parentheses of their own', null);
      else {
        pushValue();
        group = 'or';
      }
    } else if (char === '-') {
      const next = text[at + 1] ?? ' ';
      if (isSpace(next) || next === ')')
        at = bad(at, at + 1, 'Put the - right before what it excludes', '"-"');
      else {
        tokens.push({ kind: '-', from: at, to: at + 1 });
        at += 1;
      }
    } else pushTerm();
  }
  return tokens;
}
