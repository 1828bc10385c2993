/** The print of a failure: equal for the same failure of another customer or order. It forms failure groups, see lua/dead/group_name.lua. */
import { createHash } from 'node:crypto';
import { withoutEscapeCodes } from '@/lib/format/escape-codes';

/** What neither message nor stack says anything about. */
export const NO_PRINT = '-';
/** Read of a message, so that the longest costs no more than this … */
const MESSAGE_MAX_CHARS = 500;
/** … and of its shape, so that the cut of a value does not count. */
const SHAPE_MAX_CHARS = 200;
const PASSES_MAX = 10;
const STACK_MAX_CHARS = 8_000;
/** As describe-error.ts and Java write them. */
const CAUSE = /^(?:Caused by|Reason \d+ of \d+): (.{1,500})/gm;
const CAUSES_MAX = 9;

/** Twelve hex digits, or `-`. */
export function fingerprint(message: string, stack: string | undefined): string {
  const shape = messageShape(withoutEscapeCodes(message));
  const plain = withoutEscapeCodes((stack ?? '').slice(0, STACK_MAX_CHARS));
  const frames = framesOf(plain);
  if (shape === '' && frames.length === 0) return NO_PRINT;
  return createHash('sha1')
    .update([shape, ...frames, ...causesOf(plain)].join('\n'))
    .digest('hex')
    .slice(0, 12);
}

/** What tells failures apart whose message and frames are the same: the shapes of their causes. */
function causesOf(stack: string): string[] {
  const causes = [...stack.matchAll(CAUSE)].slice(0, CAUSES_MAX);
  return causes.map(([, said = '']) => `caused by ${messageShape(said)}`);
}

/** A message without its values. The shape of a shape is itself. */
export function messageShape(message: string): string {
  let shape = message.slice(0, MESSAGE_MAX_CHARS).replace(/\s+/g, ' ').trim();
  // A value that was taken out may have been what kept the next one from being seen.
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const before = shape;
    for (const { sign, pattern, put } of VALUES) if (sign.test(shape)) shape = shape.replace(pattern, put);
    shape = shape.slice(0, SHAPE_MAX_CHARS).trim();
    if (shape === before) break;
  }
  return shape;
}

type Put = (match: string, ...parts: string[]) => string;
interface Value {
  /** Not looked for in a message without one of these. */
  readonly sign: RegExp;
  readonly pattern: RegExp;
  readonly put: Put;
}
const as =
  (placeholder: string): Put =>
  () =>
    placeholder;
const quoted =
  (quote: string): Put =>
  (match, inside = '') =>
    isName(inside) ? match : `${quote}…${quote}`;
const DIGIT = /\d/;

/** In this order: larger things before the smaller ones in them. No quantifier holds another that matches the same letters, so time is linear. */
const VALUES: readonly Value[] = [
  {
    sign: /:\/\//,
    pattern: /\b([a-z][a-z0-9+.-]{0,19}):\/\/([^\s"'`<>()[\]{}|\\^,;]+)/gi,
    put: (_, scheme = '', rest = '') => urlShape(scheme, rest),
  },
  { sign: /@/, pattern: /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g, put: as('<email>') },
  {
    sign: /\d-\d/,
    pattern: /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
    put: as('<date>'),
  },
  {
    sign: DIGIT,
    pattern: /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d\d? [A-Z][a-z]{2}|[A-Z][a-z]{2} \d\d?),? \d{4}/g,
    put: as('<date>'),
  },
  {
    sign: /\d:\d/,
    pattern: /(?<![\w:.])\d\d?:\d\d:\d\d(?:[.,]\d{1,9})?(?![\w:])/g,
    put: as('<date>'),
  },
  {
    sign: /\d\.\d/,
    pattern: /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]*\w)/g,
    put: as('<ip>'),
  },
  {
    sign: /:.*:/,
    pattern: /\[?(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,5}(?:\]:\d{1,5})?(?![\w:])/gi,
    put: (match) => (DIGIT.test(match) ? '<ip>' : match),
  },
  {
    sign: /[\\/]/,
    pattern: /(?<![\w.<>/\\])(?:[A-Za-z]:|~|\.{1,2})?(?:[\\/][\w.@~+-]+){2,}[\\/]?/g,
    put: as('<path>'),
  },
  { sign: DIGIT, pattern: /[A-Za-z0-9][A-Za-z0-9_-]{7,}/g, put: (word) => (isId(word) ? '<n>' : word) },
  { sign: /"/, pattern: /(?<![\w"])"([^"]{0,200})"(?!\w)/g, put: quoted('"') },
  { sign: /'/, pattern: /(?<![\w'])'([^']{0,200})'(?!\w)/g, put: quoted("'") },
  { sign: /`/, pattern: /(?<![\w`])`([^`]{0,200})`(?!\w)/g, put: quoted('`') },
  { sign: DIGIT, pattern: /(?<![\w-])-?\d+(?:[.,:]\d+)*|\d+(?:[.,]\d+)*/g, put: as('<n>') },
  { sign: /<n>,? ?</, pattern: /<n>(?:,? ?<n>)+/g, put: as('<n>') },
];

/** Host and first step of the path say what failed; the rest are values. */
function urlShape(scheme: string, rest: string): string {
  const [where = '', first = ''] = rest.split(/[/?#]/, 2);
  const host = where.slice(where.lastIndexOf('@') + 1);
  const step = rest.charAt(where.length) === '/' && first !== '' ? `/${first}` : '';
  return `${scheme.toLowerCase()}://${host}${step}`;
}

/** UUIDs, ULIDs, KSUIDs, hashes and ids with a prefix mix letters and digits as no word does. */
function isId(word: string): boolean {
  if (!/\d/.test(word) || !/[A-Za-z]/.test(word)) return false;
  if (/^\d+[A-Za-z]{1,3}$/.test(word)) return false;
  return /\d[A-Za-z]/.test(word) || /^[0-9a-f]+$/i.test(word) || /^[A-Za-z]{2,8}_[A-Za-z0-9]{8,}$/.test(word);
}

/** Quoted names of columns, options and fields say what failed; everything else in quotes is what it failed on. */
const isName = (inside: string): boolean =>
  /^[A-Za-z_$][A-Za-z_$.-]{1,49}$/.test(inside) || /^[a-z]+:\/\//.test(inside);

const FRAMES = 3;

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
