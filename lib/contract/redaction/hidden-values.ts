/**
 * Hidden values outside of the payload: an error message, a stack or a result may repeat a hidden value. MASK replaces such repetitions.
 * Short values are replaced only where they stand alone, so that "1" or "ok" does not shred a sentence.
 */
import { JsonScanner } from '@/lib/format/json-scanner';
import { isJson } from '../json-fault';
import { foldCase } from './fold-case';
import { hiddenParts, MASK_TEXT } from './redact-text';
import { hidesName, type Redaction } from './redaction';
import { MASK } from './redaction-default';

/** Values of fewer characters, and `true`, `false` and `null`, are left where they stand. */
const LEAST_CHARS = 3;
/** From this many characters on, a value is replaced wherever it stands, and so is each part of it that is as long. */
const LONG_CHARS = 8;
/** Short values with other characters than letters and digits: each needs a search. */
const PHRASES_MAX = 500;

export interface HiddenValues {
  /** There are too many to look for: every text is hidden as a whole. */
  readonly tooMany: boolean;
  /** Short ones, of letters and digits only. */
  readonly words: ReadonlySet<string>;
  /** Short ones with other characters inside. */
  readonly phrases: readonly string[];
  readonly long: readonly string[];
}

const WORD = /[\p{L}\p{N}]+/gu;
const ONE_WORD = /^[\p{L}\p{N}]+$/u;
const WORD_CHAR = /[\p{L}\p{N}]/u;
/** What stands between the values of a form, a header or JSON that was cut short. */
const SEPARATORS = /[\s"'`=&;,:<>(){}[\]\p{Cc}\ufffd]+/u;

/** The hidden values of a payload, ready to be looked for; null: it has none. */
export function hiddenValuesOf(payload: string, redaction: Redaction): HiddenValues | null {
  const parts = hiddenParts(payload, redaction);
  if (parts.length === 0) return null;
  const forms = new Set<string>();
  for (const part of parts) {
    const json = part.charCodeAt(0) === 0xfeff ? part.slice(1) : part;
    if (isJson(json)) addScalars(json, forms);
    else addPieces(part, redaction, forms);
  }
  const [words, phrases, long] = [new Set<string>(), [] as string[], [] as string[]];
  for (const form of forms)
    if (form.length >= LONG_CHARS) long.push(form);
    else if (ONE_WORD.test(form)) words.add(form);
    else phrases.push(form);
  return { tooMany: phrases.length > PHRASES_MAX, words, phrases, long };
}

/** The text with MASK instead of repeated hidden values. */
export function withoutHiddenValues(text: string, values: HiddenValues | null): string {
  if (values === null || text === '') return text;
  if (values.tooMany) return MASK;
  const lower = foldCase(text);
  const hidden = new Uint8Array(text.length);
  for (const { 0: word, index } of lower.matchAll(WORD))
    if (values.words.has(word)) hidden.fill(1, index, index + word.length);
  for (const phrase of values.phrases) markPhrase(lower, phrase, hidden);
  markLong(lower, values.long, hidden);
  markParserQuote(text, hidden);
  return masked(text, hidden);
}

/** The same of a text that may be JSON, and then stays JSON. */
export function jsonWithoutHiddenValues(text: string, values: HiddenValues | null): string {
  if (values === null || text === '') return text;
  if (!isJson(text)) return withoutHiddenValues(text, values);
  const parts: string[] = [];
  let done = 0;
  for (const { from, to, isString } of scalarsIn(text)) {
    const inner = isString ? text.slice(from + 1, to - 1) : text.slice(from, to);
    const shown = withoutHiddenValues(inner, values);
    if (shown === inner) continue;
    parts.push(text.slice(done, from), isString ? `"${shown}"` : MASK_TEXT);
    done = to;
  }
  const shown = parts.join('') + text.slice(done);
  // A value that begins within an escape leaves half of one behind.
  return isJson(shown) ? shown : MASK_TEXT;
}

/** A value as it is, as JSON escapes it, and as a link encodes it. */
function addForms(value: string, forms: Set<string>): void {
  const trimmed = value.trim();
  for (const form of [trimmed, JSON.stringify(trimmed).slice(1, -1), encoded(trimmed)])
    if (form.length >= LEAST_CHARS) forms.add(foldCase(form));
}

function addScalars(json: string, forms: Set<string>): void {
  for (const { from, to, isString, isName } of scalarsIn(json)) {
    const raw = json.slice(from, to);
    // Names such as "id" or "type" are words of any sentence.
    if (isName && raw.length - 2 < LONG_CHARS) continue;
    if (isString) {
      addForms(String(JSON.parse(raw)), forms);
      addForms(raw.slice(1, -1), forms);
    } else {
      addForms(raw, forms);
      // A handler reads a double, and says that.
      addForms(String(Number(raw)), forms);
    }
  }
}

/** Of text that is not JSON: the whole, and the pieces between separators, except hidden names. */
function addPieces(text: string, redaction: Redaction, forms: Set<string>): void {
  addForms(text, forms);
  for (const piece of text.split(SEPARATORS)) {
    if (piece.length < LEAST_CHARS || hidesName(redaction, piece)) continue;
    addForms(piece, forms);
    addForms(decoded(piece), forms);
  }
}

interface Scalar {
  readonly from: number;
  readonly to: number;
  readonly isString: boolean;
  /** The name of a member. */
  readonly isName: boolean;
}

/** The strings and numbers of a JSON text. */
function* scalarsIn(json: string): Generator<Scalar> {
  const scan = new JsonScanner(json);
  while (scan.next())
    if (scan.kind === 'string' || scan.kind === 'number')
      yield { from: scan.from, to: scan.to, isString: scan.kind === 'string', isName: scan.isName };
}

function markPhrase(text: string, phrase: string, hidden: Uint8Array): void {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const end = at + phrase.length;
    const joined = (outer: string | undefined, inner: string | undefined) =>
      WORD_CHAR.test(outer ?? ' ') && WORD_CHAR.test(inner ?? ' ');
    if (!joined(text[at - 1], text[at]) && !joined(text[end], text[end - 1])) hidden.fill(1, at, end);
  }
}

/** All runs of LONG_CHARS characters that the text has in common with a value: its cost grows with both lengths, not their product. */
function markLong(text: string, values: readonly string[], hidden: Uint8Array): void {
  if (values.length === 0 || text.length < LONG_CHARS) return;
  const places = new Map<string, number[]>();
  for (let at = 0; at + LONG_CHARS <= text.length; at += 1) {
    const run = text.slice(at, at + LONG_CHARS);
    const known = places.get(run);
    if (known) known.push(at);
    else places.set(run, [at]);
  }
  for (const value of values)
    for (let at = 0; at + LONG_CHARS <= value.length; at += 1) {
      const run = value.slice(at, at + LONG_CHARS);
      for (const place of places.get(run) ?? []) hidden.fill(1, place, place + LONG_CHARS);
      places.delete(run);
    }
}

const PARSER_QUOTE_END = ' is not valid JSON';
/** The platform's JSON parser quotes what stands around the fault (`Unexpected token 'x', ..."half of a val"... is not valid JSON`). */
function markParserQuote(text: string, hidden: Uint8Array): void {
  for (let end = text.indexOf(PARSER_QUOTE_END); end >= 0; end = text.indexOf(PARSER_QUOTE_END, end + 1)) {
    const sentence = text.lastIndexOf('Unexpected ', end);
    const comma = sentence < 0 ? -1 : text.indexOf(', ', sentence);
    if (comma >= 0 && comma < end) hidden.fill(1, comma + 2, end);
  }
}

function masked(text: string, hidden: Uint8Array): string {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const from = hidden.indexOf(1, at);
    if (from < 0) break;
    const next = hidden.indexOf(0, from);
    parts.push(text.slice(at, from), MASK);
    at = next < 0 ? text.length : next;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
