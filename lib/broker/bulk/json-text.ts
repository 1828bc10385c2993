/**
 * JSON as text with a structure laid over it, so that a part can be changed and all else keeps its very letters: digits
 * beyond what a number of JavaScript holds, the order of members, the way strings are escaped.
 */

/** A value: as it stands in the text, or taken apart because something in it changed. */
import { isJson, jsonFault } from '@/lib/contract/json-fault';

export type Node = Container | Scalar;
export interface Scalar {
  readonly kind: 'scalar';
  readonly text: string;
}
export interface Member {
  /** As written, quotes and escapes included. */
  readonly keyText: string;
  readonly key: string;
  value: Node;
}
export type Container =
  | { readonly kind: 'object'; members: Member[]; text: string | null }
  | { readonly kind: 'array'; items: Node[]; text: string | null };

/** Deeper payloads are refused: whoever walks them needs a frame a level. */
export const DEPTH_MAX = 500;

/** @throws SyntaxError with a sentence that says where it goes wrong, and quotes nothing */
export function parseText(source: string): Node {
  // Tells what is no JSON, in full and fast. What is left for the walk below is to find where things stand.
  if (!isJson(source)) throw new SyntaxError(`${jsonFault(source)}.`);
  return new Walk(source).whole();
}

/** The text again. What nobody touched is passed on as it was; what was taken apart is written without spaces. */
export function printText(node: Node): string {
  if (node.kind === 'scalar' || node.text !== null) return node.text ?? '';
  return node.kind === 'object'
    ? `{${node.members.map(({ keyText, value }) => `${keyText}:${printText(value)}`).join(',')}}`
    : `[${node.items.map(printText).join(',')}]`;
}

/** A string: its quotes are found by skipping what a backslash escapes. A number or word: up to what ends it. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const WORD = /[^\s,\]}]+/y;
const SPACE = /[ \t\n\r]*/y;

/** Walks a text that is known to be JSON, so that each letter can only mean one thing. */
class Walk {
  #at = 0;
  readonly #source: string;
  constructor(source: string) {
    this.#source = source;
  }

  whole(): Node {
    return this.#value(1);
  }

  #value(depth: number): Node {
    this.#take(SPACE);
    const from = this.#at;
    const first = this.#source[from];
    if (first !== '{' && first !== '[')
      return { kind: 'scalar', text: this.#take(first === '"' ? STRING : WORD) };
    if (depth > DEPTH_MAX) throw new SyntaxError(`It is nested deeper than ${DEPTH_MAX} levels.`);
    const node: Container =
      first === '{'
        ? { kind: 'object', members: this.#members(depth), text: null }
        : { kind: 'array', items: this.#items(depth), text: null };
    node.text = this.#source.slice(from, this.#at);
    return node;
  }

  #members(depth: number): Member[] {
    const members: Member[] = [];
    this.#entries('}', () => {
      this.#take(SPACE);
      const keyText = this.#take(STRING);
      this.#take(SPACE);
      this.#at += 1;
      members.push({ keyText, key: stringOf(keyText), value: this.#value(depth + 1) });
    });
    return members;
  }

  #items(depth: number): Node[] {
    const items: Node[] = [];
    this.#entries(']', () => {
      items.push(this.#value(depth + 1));
    });
    return items;
  }

  /** What stands between a bracket and `end`, entry by entry. */
  #entries(end: string, one: () => void): void {
    this.#at += 1;
    this.#take(SPACE);
    if (this.#source[this.#at] !== end) {
      for (;;) {
        one();
        this.#take(SPACE);
        if (this.#source[this.#at] !== ',') break;
        this.#at += 1;
      }
    }
    this.#at += 1;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#source) ?? [];
    this.#at += found.length;
    return found;
  }
}

export const stringOf = (text: string): string => String(JSON.parse(text));
