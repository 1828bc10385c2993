/**
 * JSON as a tree that keeps every value as it is written: numbers beyond 2^53, escapes, the order of members, duplicate keys. Reads without
 * recursion and stops at its bounds.
 */
import { JsonScanner, unquoteJson } from './json-scanner';

export type JsonNode = JsonContainer | JsonScalar;
export interface JsonScalar {
  readonly kind: 'string' | 'number' | 'literal';
  /** As written. */
  readonly text: string;
}
export interface JsonObject {
  readonly kind: 'object';
  members: JsonMember[];
  /** As written; null: something in it was changed. */
  text: string | null;
}
export interface JsonArray {
  readonly kind: 'array';
  items: JsonNode[];
  text: string | null;
}
export type JsonContainer = JsonObject | JsonArray;
export interface JsonMember {
  /** As written, quotes and escapes included. */
  readonly keyText: string;
  readonly key: string;
  value: JsonNode;
}

export type JsonResult = { ok: true; node: JsonNode } | { ok: false; reason: 'invalid' | 'deep' | 'large' };
export type JsonBounds = { maxChars?: number; maxDepth?: number; maxNodes?: number };

/** Never throws, whatever the text. */
export function readJson(text: string, bounds: JsonBounds = {}): JsonResult {
  const { maxChars = 300_000, maxDepth = 60, maxNodes = 20_000 } = bounds;
  const invalid = { ok: false, reason: 'invalid' } as const;
  if (text.length > maxChars) return { ok: false, reason: 'large' };
  const scan = new JsonScanner(text);
  const open: Open[] = [];
  let root: JsonNode | null = null;
  let nodes = 0;
  let expects = 'value' as 'value' | 'first' | 'more';
  const complete = (node: JsonNode) => {
    const parent = open.at(-1);
    if (!parent) root = node;
    else if (parent.node.kind === 'array') parent.node.items.push(node);
    else parent.node.members.push({ keyText: parent.keyText, key: unquoteJson(parent.keyText), value: node });
    expects = 'more';
  };
  try {
    while (scan.next()) {
      const parent = open.at(-1);
      if (parent && expects !== 'value' && scan.kind === (parent.node.kind === 'object' ? '}' : ']')) {
        open.pop();
        parent.node.text = text.slice(parent.from, scan.to);
        complete(parent.node);
      } else if (expects === 'more') {
        if (!parent || scan.kind !== ',') return invalid;
        expects = 'value';
      } else {
        if (parent?.node.kind === 'object') {
          if (scan.kind !== 'string') return invalid;
          parent.keyText = scan.token;
          if (!scan.isName || !scan.next() || !scan.next()) return invalid;
        }
        nodes += 1;
        if (nodes > maxNodes) return { ok: false, reason: 'large' };
        if (scan.kind === '{' || scan.kind === '[') {
          if (open.length >= maxDepth) return { ok: false, reason: 'deep' };
          const node: JsonContainer =
            scan.kind === '{'
              ? { kind: 'object', members: [], text: null }
              : { kind: 'array', items: [], text: null };
          open.push({ node, from: scan.from, keyText: '' });
          expects = 'first';
        } else if (scan.kind === 'string' || scan.kind === 'number' || scan.kind === 'literal') {
          // Throws for an escape or a character that JSON does not allow.
          if (scan.kind === 'string') unquoteJson(scan.token);
          complete({ kind: scan.kind, text: scan.token });
        } else return invalid;
      }
    }
  } catch {
    return invalid;
  }
  return root !== null && open.length === 0 ? { ok: true, node: root } : invalid;
}

interface Open {
  readonly node: JsonContainer;
  readonly from: number;
  /** The name of the member that is read next. */
  keyText: string;
}

/** The text again. Unchanged parts stay as written; a changed object or list is written without spaces. */
export function printJson(node: JsonNode): string {
  if (node.kind === 'object')
    return (
      node.text ?? `{${node.members.map(({ keyText, value }) => `${keyText}:${printJson(value)}`).join(',')}}`
    );
  if (node.kind === 'array') return node.text ?? `[${node.items.map(printJson).join(',')}]`;
  return node.text;
}

/** How many children a node has; null for a value that has none by nature. */
export function childCount(node: JsonNode): number | null {
  if (node.kind === 'object') return node.members.length;
  return node.kind === 'array' ? node.items.length : null;
}
