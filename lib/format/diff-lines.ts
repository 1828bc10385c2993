/** What differs between two texts, line by line, around what changed; pure. */
export interface DiffLine {
  readonly kind: 'same' | 'out' | 'in' | 'gap';
  readonly text: string;
}

/** Beyond this many lines on either side it is shown as one block out, one block in. */
const MAX_LINES = 400;
const AROUND = 2;

/** JSON over several lines, so that a change is a line; anything else as it is. Numbers keep their digits. */
export function lines(text: string): string[] {
  return spread(text).split('\n');
}

export function diffLines(before: string, after: string): DiffLine[] {
  const from = lines(before);
  const to = lines(after);
  let head = 0;
  while (head < from.length && head < to.length && from[head] === to[head]) head += 1;
  let tail = 0;
  while (
    tail < from.length - head &&
    tail < to.length - head &&
    from[from.length - 1 - tail] === to[to.length - 1 - tail]
  )
    tail += 1;
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  const middle = between(from.slice(head, from.length - tail), to.slice(head, to.length - tail));
  return shorten([...from.slice(0, head).map(same), ...middle, ...from.slice(from.length - tail).map(same)]);
}

/** The longest common run of lines stays; the rest goes out or comes in. */
function between(from: readonly string[], to: readonly string[]): DiffLine[] {
  const out = (text: string): DiffLine => ({ kind: 'out', text });
  const into = (text: string): DiffLine => ({ kind: 'in', text });
  if (from.length > MAX_LINES || to.length > MAX_LINES) return [...from.map(out), ...to.map(into)];
  const width = to.length + 1;
  const longest = new Uint16Array((from.length + 1) * width);
  for (let i = from.length - 1; i >= 0; i--)
    for (let j = to.length - 1; j >= 0; j--)
      longest[i * width + j] =
        from[i] === to[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
  const result: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length || j < to.length) {
    const left = from[i];
    const right = to[j];
    if (left !== undefined && left === right) {
      result.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (
      left !== undefined &&
      (right === undefined || (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))
    ) {
      result.push(out(left));
      i += 1;
    } else {
      result.push(into(right ?? ''));
      j += 1;
    }
  }
  return result;
}

/** Leaves out what is far from any change. */
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

/** Sets JSON on several lines without reading its values: only what stands outside strings matters. */
function spread(text: string): string {
  const out: string[] = [];
  let depth = 0;
  let quoted = false;
  let escaped = false;
  let last = '';
  const line = () => `\n${'  '.repeat(Math.max(0, depth))}`;
  for (const char of text) {
    if (quoted) {
      out.push(char);
      quoted = escaped || char !== '"';
      escaped = !escaped && char === '\\';
      continue;
    }
    if (char.trim() === '') continue;
    const opens = last === '{' || last === '[';
    const closes = char === '}' || char === ']';
    if (closes) depth -= 1;
    if (opens !== closes) out.push(line());
    if (char === '{' || char === '[') depth += 1;
    quoted = char === '"';
    out.push(char === ':' ? ': ' : char);
    if (char === ',') out.push(line());
    last = char;
  }
  return /^\s*[[{]/.test(text) && !quoted ? out.join('') : text;
}
