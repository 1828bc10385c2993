/**
 * Where a text stops being JSON, without a quote from it: the platform's parser quotes the text around the fault, which may be a password.
 */

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}){0,1000}/uy;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The end of a sentence that names the position, such as `it goes wrong at line 1, character 22`. @param text which is not JSON */
export function jsonFault(text: string): string {
  const at = faultAt(text);
  if (at >= text.length) return text.trim() === '' ? 'it is empty' : 'it ends too early';
  const before = text.slice(0, at).split('\n');
  return `it goes wrong at line ${before.length}, character ${(before.at(-1)?.length ?? 0) + 1}`;
}

/** The first letter that cannot stand where it does; the text's length: more must follow. */
function faultAt(text: string): number {
  /** The closing brackets still to come: `}` or `]`. */
  const open: string[] = [];
  let at = 0;
  const skip = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    const length = pattern.exec(text)?.[0].length ?? 0;
    at += length;
    return length;
  };
  /** False: there is a fault at `at`. */
  const string = (): boolean => {
    if (text[at] !== '"') return false;
    skip(STRING);
    // A long string is read in pieces: a pattern remembers each letter it has read.
    while (at < text.length && text[at] !== '"') {
      const quoted = `"${text.slice(at, at + 2_000)}`;
      STRING.lastIndex = 0;
      const more = (STRING.exec(quoted)?.[0].length ?? 1) - 1;
      if (more === 0) return false;
      at += more;
    }
    if (at >= text.length) return false;
    at += 1;
    return true;
  };
  let expects: 'value' | 'first' | 'name' | 'more' = 'value';
  for (;;) {
    skip(SPACE);
    const char = text[at];
    if (char === undefined) return at;
    const closes = char === open.at(-1);
    if ((expects === 'first' || expects === 'more') && closes) {
      open.pop();
      at += 1;
      expects = 'more';
    } else if (expects === 'more') {
      if (char !== ',' || open.length === 0) return at;
      at += 1;
      expects = open.at(-1) === '}' ? 'name' : 'value';
    } else if (expects === 'name' || (expects === 'first' && open.at(-1) === '}')) {
      if (!string()) return at;
      skip(SPACE);
      if (text[at] !== ':') return at;
      at += 1;
      expects = 'value';
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']');
      at += 1;
      expects = 'first';
    } else if (char === '"') {
      if (!string()) return at;
      expects = 'more';
    } else {
      if (skip(NUMBER) === 0 && skip(WORD) === 0) return at;
      expects = 'more';
    }
  }
}
