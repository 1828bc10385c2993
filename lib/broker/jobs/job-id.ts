/** Ids: time-ordered for jobs, random for everything that must not be guessed or repeated. */
import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'; // Crockford's base 32: no letters that read as digits

/** `length` random characters, five bits each. */
export function randomId(length: number): string {
  const bytes = randomBytes(length);
  let id = '';
  for (let i = 0; i < length; i++) id += ALPHABET[(bytes[i] ?? 0) & 31];
  return id;
}

/** The same 20 characters for the same words: what makes a resent request find what its first sending made. */
export function idFrom(...words: string[]): string {
  const digest = createHash('sha256').update(words.join('\0')).digest();
  return Array.from({ length: 20 }, (_, i) => ALPHABET[(digest[i] ?? 0) & 31]).join('');
}

let lastMs = 0;
let lastHead = '';
let lastTail = 0;

/** Stands between time and chance. In lower case, which no other id of ours has: it tells ids that carry their time. */
const MARK = 'r';
const TIME_ORDERED = /^[0-9A-HJKMNP-TV-Z]{10}r[0-9A-HJKMNP-TV-Z]{9}$/;

/** A 20-character id that sorts by time: 10 characters of milliseconds, a mark, 9 random ones that count up within a millisecond. */
export function timeOrderedId(nowMs: number = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    lastHead = encode(lastMs);
    lastTail = nextTail();
  } else lastTail += 1;
  return lastHead + MARK + encode(lastTail).slice(1);
}

/** Chance for many ids is drawn at once: a call for each would cost more than the rest of an id. */
const CHANCE_BYTES = 6 * 256;
let chance = Buffer.alloc(0);
let chanceUsed = 0;

/** 44 random bits: room to count up without a carry. */
function nextTail(): number {
  if (chanceUsed + 6 > chance.length) {
    chance = randomBytes(CHANCE_BYTES);
    chanceUsed = 0;
  }
  const bits = chance.readUIntBE(chanceUsed, 6);
  chanceUsed += 6;
  return bits % 2 ** 44;
}

/** When `timeOrderedId` made it, by the clock of its maker. Null: it is not one of those. */
export function timeOfId(id: string): number | null {
  if (!TIME_ORDERED.test(id)) return null;
  let ms = 0;
  for (const letter of id.slice(0, 10)) ms = ms * 32 + ALPHABET.indexOf(letter);
  return ms;
}

/** All pairs of two characters: a busy producer makes more ids than anything else. */
const PAIRS = Array.from({ length: 1024 }, (_, i) => `${ALPHABET[i >> 5]}${ALPHABET[i & 31]}`);

/** Ten characters of five bits each, so at most 50 bits. */
function encode(value: number): string {
  const high = Math.floor(value / 2 ** 20);
  const low = value % 2 ** 20;
  return `${PAIRS[Math.floor(high / 2 ** 20)]}${PAIRS[(high >>> 10) & 1023]}${PAIRS[high & 1023]}${PAIRS[low >>> 10]}${PAIRS[low & 1023]}`;
}
