/** The differences between two texts, line by line, with some lines around each. */
import { diffArrays } from 'diff';
import { JsonScanner } from './json-scanner';

export interface DiffLine {
  readonly kind: 'same' | 'out' | 'in' | 'gap';
  readonly text: string;
}

/** With more lines out and in than this, the whole middle is shown as one block out and one block in. */
const MAX_CHANGED_LINES = 800;
const AROUND = 2;

/** JSON over several lines, so that a change is a line; anything else as it is. Numbers keep their digits. */
export function jsonLines(text: string): string[] {
  return spread(text).split('\n');
}

export function diffLines(before: string, after: string): DiffLine[] {
  const from = jsonLines(before);
  const to = jsonLines(after);
  const changes = diffArrays(from, to, { maxEditLength: MAX_CHANGED_LINES }) ?? [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ];
  return shorten(
    changes.flatMap(({ value, removed, added }) =>
      value.map((text): DiffLine => ({ kind: removed ? 'out' : added ? 'in' : 'same', text })),
    ),
  );
}

/** Leaves out lines far from any change. */
function shorten(all: readonly DiffLine[]): DiffLine[] {
  const near = (i: number): boolean =>
    all.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({ kind }) => kind !== 'same');
  const result: DiffLine[] = [];
  for (const [i, line] of all.entries()) {
    if (near(i)) result.push(line);
    else if (result.at(-1)?.kind !== 'gap') result.push({ kind: 'gap', text: '…' });
  }
  return result;
}

/** Sets JSON on several lines; its values stay as they are written. */
function spread(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const out: string[] = [];
  const scan = new JsonScanner(text);
  let depth = 0;
  let last = '';
  const newLine = () => `\n${'  '.repeat(Math.max(0, depth))}`;
  while (scan.next()) {
    const { kind, token } = scan;
    // A string that was cut off: the text is no JSON.
    if (kind === 'invalid' && token.startsWith('"')) return text;
    const opens = last === '{' || last === '[';
    const closes = kind === '}' || kind === ']';
    if (closes) depth -= 1;
    if (opens !== closes) out.push(newLine());
    if (kind === '{' || kind === '[') depth += 1;
    out.push(kind === ':' ? ': ' : token);
    if (kind === ',') out.push(newLine());
    last = kind;
  }
  return out.join('');
}
