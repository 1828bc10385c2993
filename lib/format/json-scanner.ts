/**
 * The tokens of JSON text, by position: the one scanner of whatever must keep a payload's exact characters. It reads no values and checks
 * no grammar.
 */

/** A bracket, brace, colon or comma is its own kind. `invalid`: no token of JSON, or a string without its end. */
export type JsonTokenKind = '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'number' | 'literal' | 'invalid';

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERAL = /true|false|null/y;
/** By the code of their character. */
const PUNCTUATION: (JsonTokenKind | undefined)[] = [];
for (const char of ['{', '}', '[', ']', ':', ','] as const) PUNCTUATION[char.charCodeAt(0)] = char;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BYTE_ORDER_MARK = 0xfeff;

export class JsonScanner {
  kind: JsonTokenKind = 'invalid';
  /** The token is `text.slice(from, to)`. */
  from = 0;
  to: number;

  /** @param start where to begin, such as `jsonStart(text)` */
  constructor(
    readonly text: string,
    start = 0,
  ) {
    this.to = start;
  }

  /** Goes to the next token. False at the end of the text. */
  next(): boolean {
    const { text } = this;
    const from = spaceEnd(text, this.to);
    this.from = from;
    this.to = text.length;
    if (from >= text.length) return false;
    const code = text.charCodeAt(from);
    const punctuation = PUNCTUATION[code];
    if (punctuation !== undefined) {
      this.kind = punctuation;
      this.to = from + 1;
    } else if (code === QUOTE) {
      const end = stringEnd(text, from + 1);
      this.kind = end < 0 ? 'invalid' : 'string';
      if (end >= 0) this.to = end;
    } else {
      const pattern = code > 0x39 ? LITERAL : NUMBER;
      pattern.lastIndex = from;
      const isValid = pattern.test(text);
      this.kind = !isValid ? 'invalid' : pattern === NUMBER ? 'number' : 'literal';
      this.to = isValid ? pattern.lastIndex : from + 1;
    }
    return true;
  }

  /** Extends a token that opens an object or a list to the bracket that closes it; any other token stays as it is. */
  skipValue(): void {
    const { from } = this;
    let depth = 0;
    do {
      if (this.kind === '{' || this.kind === '[') depth += 1;
      if (this.kind === '}' || this.kind === ']') depth -= 1;
    } while (depth > 0 && this.next());
    this.from = from;
  }

  /** A colon follows: the token is the name of a member. */
  get isName(): boolean {
    return this.text.charAt(spaceEnd(this.text, this.to)) === ':';
  }

  get token(): string {
    return this.text.slice(this.from, this.to);
  }
}

/** Behind a byte order mark, which is no part of JSON. */
export const jsonStart = (text: string): number => (text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0);

/** The value of a string token. @throws SyntaxError for a token that is no JSON string */
export const unquoteJson = (token: string): string => String(JSON.parse(token));

/** The position after the closing quote of the string that begins at `from`; -1 when nothing closes it. */
function stringEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return -1;
    let backslashes = 0;
    while (quote - 1 - backslashes >= from && text.charCodeAt(quote - 1 - backslashes) === BACKSLASH)
      backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}
