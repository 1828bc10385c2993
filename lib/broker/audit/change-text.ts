/** Texts of changes for the audit log, cut to size, with a digest of what was cut. */
import { createHash } from 'node:crypto';
import { AUDIT_CHANGE_MAX_BYTES } from '@/lib/contract/audit/audit-objects';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A text cut to size between letters. */
export function changeText(
  text: string | undefined | null,
  maxBytes: number = AUDIT_CHANGE_MAX_BYTES,
): string {
  if (!text) return '';
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  const mark = `… (cut; ${bytes} bytes, sha256 ${digestOf(text)})`;
  const cut = Buffer.from(text)
    .subarray(0, maxBytes - Buffer.byteLength(mark))
    .toString('utf8');
  return `${cut.replace(/\uFFFD+$/, '')}${mark}`;
}

export interface Part {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  /** Bytes of JSON it may take in either text. */
  readonly maxBytes: number;
}

/**
 * The parts that differ, as two JSON objects in the order given. Of long lists and objects only the differing members are named;
 * whatever is still too long becomes its size, its beginning and a digest.
 */
export function changeTexts(parts: readonly Part[]): { before: string; after: string } {
  const pairs = parts.flatMap((part) => {
    if (JSON.stringify(part.before) === JSON.stringify(part.after)) return [];
    return [{ name: part.name, ...shortened(part) }];
  });
  const textOf = (side: 'before' | 'after') =>
    JSON.stringify(Object.fromEntries(pairs.map((pair) => [pair.name, pair[side] ?? null])));
  return { before: textOf('before'), after: textOf('after') };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value ?? null));

function shortened({ before, after, maxBytes }: Part): { before: unknown; after: unknown } {
  const fits = (one: unknown, other: unknown) => bytesOf(one) <= maxBytes && bytesOf(other) <= maxBytes;
  if (fits(before, after)) return { before, after };
  const [less, more] = [onlyIn(before, after), onlyIn(after, before)];
  if (fits(less, more)) return { before: less, after: more };
  return { before: cutPart(before, maxBytes), after: cutPart(after, maxBytes) };
}

/** What `one` has and `other` has not, or has otherwise. */
function onlyIn(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) {
    const known = new Set(other.map((item) => JSON.stringify(item)));
    return { of: one.length, only: one.filter((item) => !known.has(JSON.stringify(item))) };
  }
  if (!isRecord(one) || !isRecord(other)) return one;
  const same = (name: string) => JSON.stringify(one[name]) === JSON.stringify(other[name]);
  return Object.fromEntries(Object.entries(one).filter(([name]) => !same(name)));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value; if it is too long its size, its beginning and a digest. */
export function cutPart(value: unknown, maxBytes: number): unknown {
  const text = JSON.stringify(value ?? null);
  if (bytesOf(value) <= maxBytes) return value;
  const about = { bytes: Buffer.byteLength(text), sha256: digestOf(text) };
  const room = Math.max(0, maxBytes - bytesOf({ cut: '', ...about }));
  let cut = changeStart(text, room);
  while (cut !== '' && bytesOf({ cut, ...about }) > maxBytes)
    cut = cut.slice(0, Math.floor(cut.length * 0.8));
  return { cut, ...about };
}

const changeStart = (text: string, bytes: number): string =>
  Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
