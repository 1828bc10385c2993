/** The top of a stack trace, without what changes from build to build: which functions of which files, not which lines. */
const FRAMES = 3;
const STACK_MAX_CHARS = 8_000;

/** At most three, the innermost first: `function file`. Frames of the runtime and of packages only where there are no others. */
export function framesOf(stack: string): string[] {
  const own: string[] = [];
  const foreign: string[] = [];
  for (const line of stack.slice(0, STACK_MAX_CHARS).split('\n')) {
    const frame = frameOf(line);
    if (frame) (frame.foreign ? foreign : own).push(frame.text);
    if (own.length === FRAMES) break;
  }
  return own.length > 0 ? own : foreign.slice(0, FRAMES);
}

interface Frame {
  text: string;
  foreign: boolean;
}

/** `at function (file:line:column)`, `at file:line:column`, and the same as other runtimes write it. */
function frameOf(line: string): Frame | null {
  const trimmed = line.trim();
  if (!trimmed.startsWith('at ')) return null;
  const body = trimmed.slice(3);
  const open = body.endsWith(')') ? body.lastIndexOf('(') : -1;
  const name = open < 0 ? '' : body.slice(0, open).trim();
  const place = (open < 0 ? body : body.slice(open + 1, -1)).replace(/(?::\d+){1,2}$/, '');
  const path = place.replace(/[?#].*$/, '').replace(/^async /, '');
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return { text: `${functionOf(name)} ${buildless(file)}`, foreign: isForeign(path) };
}

const functionOf = (name: string): string =>
  name
    .replace(/^(?:async |new )+/, '')
    .replace(/ \[as [^\]]*\]$/, '')
    .slice(0, 100);

/** Bundlers put a hash of the contents into names: `page-3f9c01ab.js`. */
const buildless = (file: string): string =>
  file
    .slice(0, 100)
    .replace(/[0-9a-zA-Z]{6,}/g, (word) => (/\d/.test(word) && /[a-zA-Z]/.test(word) ? '#' : word));

const isForeign = (path: string): boolean =>
  /^(?:node:|internal\/|native$|<anonymous>$|unknown location$|index \d+$)/.test(path) ||
  /[\\/]node_modules[\\/]/.test(path);
