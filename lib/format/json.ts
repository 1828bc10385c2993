/**
 * A JSON reader for showing text to people. Unlike `JSON.parse` it keeps numbers as written (so 2^53 + 1 is not
 * rounded), keeps duplicate keys, works without recursion, and gives up politely at its bounds.
 */
export type JsonNode =
  | { kind: 'object'; entries: { key: string; value: JsonNode }[] }
  | { kind: 'array'; items: JsonNode[] }
  | { kind: 'string'; value: string }
  | { kind: 'number' | 'literal'; raw: string };

export type JsonResult = { ok: true; node: JsonNode } | { ok: false; reason: 'invalid' | 'deep' | 'large' };
export type JsonBounds = { maxChars?: number; maxDepth?: number; maxNodes?: number };

type Open = Extract<JsonNode, { kind: 'object' | 'array' }>;

const SPACE = /[ \t\n\r]*/y;
// Unrolled, so a long string costs one loop and no backtracking stack in any engine.
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside a string.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;

class Reader {
  at = 0;
  constructor(readonly text: string) {}
  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) return null;
    this.at = pattern.lastIndex;
    return found;
  }
  is(char: string): boolean {
    this.take(SPACE);
    if (this.text[this.at] !== char) return false;
    this.at += 1;
    return true;
  }
}

/** A string token's value. The pattern has already checked it, so this cannot throw. */
function unquote(token: string): string {
  return JSON.parse(token) as string;
}

function scalar(read: Reader): JsonNode | null {
  const text = read.take(STRING);
  if (text !== null) return { kind: 'string', value: unquote(text) };
  const number = read.take(NUMBER);
  if (number !== null) return { kind: 'number', raw: number };
  const literal = read.take(LITERAL);
  return literal === null ? null : { kind: 'literal', raw: literal };
}

function size(node: Open): number {
  return node.kind === 'object' ? node.entries.length : node.items.length;
}

/** Reads `"key":` when inside an object. False when the text is not what JSON allows there. */
function readKey(read: Reader, keys: string[]): boolean {
  read.take(SPACE);
  const token = read.take(STRING);
  if (token === null || !read.is(':')) return false;
  keys.push(unquote(token));
  return true;
}

/** Never throws, whatever the text. */
export function readJson(text: string, bounds: JsonBounds = {}): JsonResult {
  const { maxChars = 300_000, maxDepth = 60, maxNodes = 20_000 } = bounds;
  if (text.length > maxChars) return { ok: false, reason: 'large' };
  const bad = { ok: false, reason: 'invalid' } as const;
  const read = new Reader(text);
  const stack: Open[] = [];
  const keys: string[] = [];
  let nodes = 0;
  for (;;) {
    // One value begins here.
    nodes += 1;
    if (nodes > maxNodes) return { ok: false, reason: 'large' };
    let done: JsonNode | null;
    const open: Open | null = read.is('{')
      ? { kind: 'object', entries: [] }
      : read.is('[')
        ? { kind: 'array', items: [] }
        : null;
    if (open) {
      if (read.is(open.kind === 'object' ? '}' : ']')) done = open;
      else {
        stack.push(open);
        if (stack.length > maxDepth) return { ok: false, reason: 'deep' };
        if (open.kind === 'object' && !readKey(read, keys)) return bad;
        continue;
      }
    } else done = scalar(read);
    if (done === null) return bad;
    // The value is complete: hand it to its parent, and close every parent that ends with it.
    for (;;) {
      const parent = stack.at(-1);
      if (!parent) {
        read.take(SPACE);
        return read.at === text.length ? { ok: true, node: done } : bad;
      }
      if (parent.kind === 'object') parent.entries.push({ key: keys.pop() ?? '', value: done });
      else parent.items.push(done);
      if (read.is(',')) {
        if (parent.kind === 'object' && !readKey(read, keys)) return bad;
        break;
      }
      if (!read.is(parent.kind === 'object' ? '}' : ']')) return bad;
      done = parent;
      stack.pop();
    }
  }
}

/** How many children a node has; null for a value that has none by nature. */
export function childCount(node: JsonNode): number | null {
  return node.kind === 'object' || node.kind === 'array' ? size(node) : null;
}
