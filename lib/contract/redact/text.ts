/**
 * A payload as it may be shown. What is hidden becomes the string MASK; every other letter stays as it is stored, digits of long
 * numbers and the way strings are escaped included. What cannot be understood and may hold something hidden is hidden as a whole.
 */
import { isJson } from '../json-fault';
import { MASK } from './rule';
import { hidesName, hidesNothing, mentions, type Redaction, stepInto, type Ways } from './rules';

export interface Redacted {
  readonly text: string;
  /** How many values are hidden, and how many of these are nothing but what stands for a hidden value. */
  readonly hidden: number;
  readonly masked: number;
}

export const MASK_TEXT = JSON.stringify(MASK);
const shown = (text: string): Redacted => ({ text, hidden: 0, masked: 0 });
const allHidden = (text: string): Redacted => ({
  text: MASK_TEXT,
  hidden: 1,
  masked: text === MASK_TEXT ? 1 : 0,
});
/** Longer or deeper payloads are hidden as a whole, where there is anything to hide. */
const CHARS_MAX = 1024 * 1024;
const DEPTH_MAX = 1_000;
const BYTE_ORDER_MARK = 0xfeff;

/** Never throws, whatever the text. */
export function redactText(text: string, redaction: Redaction): Redacted {
  const read = readText(text, redaction);
  return read instanceof Walk ? read.redacted() : read === 'all' ? allHidden(text) : shown(text);
}

/** The parts of a text that are hidden, as they stand there. */
export function hiddenParts(text: string, redaction: Redaction): readonly string[] {
  const read = readText(text, redaction);
  return read instanceof Walk ? read.hiddenParts : read === 'all' ? [text] : [];
}

/** A walk that is done, or what holds without one: all of the text is hidden, or nothing. */
function readText(text: string, redaction: Redaction): Walk | 'all' | 'nothing' {
  if (text === '' || hidesNothing(redaction)) return 'nothing';
  if (redaction.whole) return 'all';
  // Most payloads have nothing to hide, which is seen without reading them as JSON. Behind a backslash a name is not what it seems.
  const mentioned = mentions(redaction, text);
  if (!mentioned && !text.includes('\\')) return 'nothing';
  if (text.length > CHARS_MAX) return 'all';
  const from = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  if (!isJson(text.slice(from))) return mentioned || /\\u[0-9a-f]{4}/i.test(text) ? 'all' : 'nothing';
  const walk = new Walk(text, redaction);
  return walk.run(from) ? walk : 'all';
}

/** An object or a list that is open. */
interface Open {
  readonly isList: boolean;
  readonly ways: Ways;
  /** Entries of a list so far. */
  index: number;
}

const WORD = /[^\s,\]}]+/y;

/** Goes over a text that is known to be JSON, so that each letter can only mean one thing. */
class Walk {
  readonly #parts: string[] = [];
  readonly hiddenParts: string[] = [];
  /** Up to here it is in parts. */
  #done = 0;
  #hidden = 0;
  #masked = 0;
  constructor(
    private readonly text: string,
    private readonly redaction: Redaction,
  ) {}

  /** False: it is nested too deeply. */
  run(from: number): boolean {
    const { text, redaction } = this;
    const open: Open[] = [];
    /** Of the value that comes next; null: it is hidden. */
    let ways: Ways | null = redaction.top;
    /** In an object: the name of that value was read. */
    let named = false;
    let at = from;
    while (at < text.length) {
      const char = text[at] ?? '';
      const here = open.at(-1);
      if (char === ',') {
        named = false;
        if (here?.isList) {
          here.index += 1;
          ways = stepInto(here.ways, String(here.index));
        }
        at += 1;
      } else if (' \n\r\t:]}'.includes(char)) {
        if (char === ']' || char === '}') open.pop();
        at += 1;
      } else if (here && !here.isList && !named) {
        const end = stringEnd(text, at + 1);
        const name = nameIn(text, at, end);
        ways = hidesName(redaction, name) ? null : stepInto(here.ways, name);
        named = true;
        at = end;
      } else if (ways === null) {
        const end = valueEnd(text, at);
        this.#hide(at, end);
        at = end;
      } else if (char === '{' || char === '[') {
        if (open.length >= DEPTH_MAX) return false;
        const isList = char === '[';
        open.push({ isList, ways, index: 0 });
        if (isList) ways = stepInto(ways, '0');
        named = false;
        at += 1;
      } else at = valueEnd(text, at);
    }
    this.#parts.push(text.slice(this.#done));
    return true;
  }

  redacted(): Redacted {
    return { text: this.#parts.join(''), hidden: this.#hidden, masked: this.#masked };
  }

  #hide(from: number, to: number): void {
    this.#parts.push(this.text.slice(this.#done, from), MASK_TEXT);
    this.hiddenParts.push(this.text.slice(from, to));
    this.#done = to;
    this.#hidden += 1;
    if (this.text.slice(from, to) === MASK_TEXT) this.#masked += 1;
  }
}

/** After the closing quote of a string whose first letter is at `from`. */
export function stringEnd(text: string, from: number): number {
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let backslashes = 0;
    while (quote - 1 - backslashes >= from && text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** After the value that begins at `from`. */
function valueEnd(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return stringEnd(text, from + 1);
  if (first !== '{' && first !== '[') {
    WORD.lastIndex = from;
    return from + (WORD.exec(text)?.[0].length ?? 1);
  }
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') at = stringEnd(text, at + 1);
    else {
      if (char === '{' || char === '[') depth += 1;
      if (char === '}' || char === ']') depth -= 1;
      at += 1;
      if (depth === 0) return at;
    }
  }
  return at;
}

function nameIn(text: string, from: number, end: number): string {
  const quoted = text.slice(from, end);
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}
