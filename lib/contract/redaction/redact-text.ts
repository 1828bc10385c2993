/**
 * A payload as users may see it. Hidden values become the string MASK; every other character stays as it is stored, digits of long
 * numbers and escapes included. A text that cannot be read and may hold a hidden value is hidden as a whole.
 */
import { JsonScanner, jsonStart, unquoteJson } from '@/lib/format/json-scanner';
import { isJson } from '../json-fault';
import { hidesName, hidesNothing, mentions, type Redaction, type RulePositions, stepInto } from './redaction';
import { MASK } from './redaction-default';

export interface RedactedText {
  readonly text: string;
  /** How many values are hidden, and how many of these are the mask itself. */
  readonly hidden: number;
  readonly masked: number;
}

export const MASK_TEXT = JSON.stringify(MASK);
const shown = (text: string): RedactedText => ({ text, hidden: 0, masked: 0 });
const allHidden = (text: string): RedactedText => ({
  text: MASK_TEXT,
  hidden: 1,
  masked: text === MASK_TEXT ? 1 : 0,
});
/** Longer or deeper payloads are hidden as a whole, where there is anything to hide. */
const CHARS_MAX = 1024 * 1024;
const DEPTH_MAX = 1_000;

/** Never throws, whatever the text. */
export function redactText(text: string, redaction: Redaction): RedactedText {
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
  if (!isJson(text.slice(jsonStart(text))))
    return mentioned || /\\u[0-9a-f]{4}/i.test(text) ? 'all' : 'nothing';
  const walk = new Walk(text, redaction);
  return walk.run() ? walk : 'all';
}

/** An object or a list that is open. */
interface Open {
  readonly isList: boolean;
  readonly positions: RulePositions;
  /** Entries of a list so far. */
  index: number;
}

/** Walks through a JSON text. */
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
  run(): boolean {
    const { text, redaction } = this;
    const scan = new JsonScanner(text, jsonStart(text));
    const open: Open[] = [];
    /** Of the value that comes next; null: it is hidden. */
    let positions: RulePositions | null = redaction.top;
    /** In an object: the name of that value was read. */
    let isNamed = false;
    while (scan.next()) {
      const parent = open.at(-1);
      if (scan.kind === ',') {
        isNamed = false;
        if (parent?.isList) {
          parent.index += 1;
          positions = stepInto(parent.positions, String(parent.index));
        }
      } else if (scan.kind === ']' || scan.kind === '}') open.pop();
      else if (scan.kind === ':') continue;
      else if (parent && !parent.isList && !isNamed) {
        const name = nameIn(scan.token);
        positions = hidesName(redaction, name) ? null : stepInto(parent.positions, name);
        isNamed = true;
      } else if (positions === null) {
        scan.skipValue();
        this.#hide(scan.from, scan.to);
      } else if (scan.kind === '{' || scan.kind === '[') {
        if (open.length >= DEPTH_MAX) return false;
        const isList = scan.kind === '[';
        open.push({ isList, positions, index: 0 });
        if (isList) positions = stepInto(positions, '0');
        isNamed = false;
      }
    }
    this.#parts.push(text.slice(this.#done));
    return true;
  }

  redacted(): RedactedText {
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

const nameIn = (token: string): string => (token.includes('\\') ? unquoteJson(token) : token.slice(1, -1));
