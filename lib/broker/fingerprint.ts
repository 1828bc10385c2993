/**
 * The print of a failure: what stays the same when the same thing fails again for another customer, order or address. Failures
 * of one type, class and code with one print are one group (lua/include/group-name.lua).
 */
import { createHash } from 'node:crypto';
import { framesOf } from './stack-frames';

/** What neither message nor stack says anything about. */
export const NO_PRINT = '-';
/** Read of a message, so that the longest costs no more than this … */
const MESSAGE_MAX_CHARS = 500;
/** … and what of its shape counts: where a value was cut off has no say in it. */
const SHAPE_MAX_CHARS = 200;
const PASSES_MAX = 10;

/** Twelve hex digits, or `-`. */
export function fingerprint(message: string, stack: string | undefined): string {
  const shape = messageShape(message);
  const frames = framesOf(stack ?? '');
  if (shape === '' && frames.length === 0) return NO_PRINT;
  return createHash('sha1')
    .update([shape, ...frames].join('\n'))
    .digest('hex')
    .slice(0, 12);
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

/**
 * In this order: what is made of smaller things comes before them. None has a quantifier inside of another that could match
 * the same letters, so each is done with a message in time proportional to its length, or to 20 or 64 times of it.
 */
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

/** Where it went is part of what failed; what was asked for there is not. */
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
