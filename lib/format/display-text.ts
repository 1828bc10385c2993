/**
 * Characters that change what a reader sees without being seen: controls, bidirectional overrides, zero-width
 * joiners, invisible fillers, tags, line separators, lone surrogates. Listed by hand rather than by Unicode
 * property, so the server and every browser agree whatever Unicode version they carry.
 */
const HIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xfffe, 0xffff],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const PLAIN = /^[\x20-\x7e]*$/;

function hidden(code: number): boolean {
  return HIDDEN.some(([from, to]) => code >= from && code <= to);
}

/** Text as it really is: hidden characters become escapes like `⟨U+202E⟩`. `keep` lists those to let through. */
export function revealHidden(text: string, keep = ''): string {
  if (PLAIN.test(text)) return text;
  let out = '';
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    out +=
      hidden(code) && !keep.includes(char) ? `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩` : char;
  }
  return out;
}

/** In one line, for titles and cells: line breaks and tabs are spaces. */
export const titleText = (text: string): string => revealHidden(text.replace(/\s*[\r\n\t]\s*/g, ' '));

/** In full, for details: line breaks and tabs stay, whatever system wrote them. */
export const detailText = (text: string): string => revealHidden(text.replace(/\r\n?/g, '\n'), '\n\t');

/** Cuts the middle, where ids differ least: `01HZX8…9QK2`. Counts characters, never splits one in two. */
export function truncateMiddle(text: string, max = 20): string {
  const chars = [...text];
  if (chars.length <= max) return text;
  if (max <= 1) return '…';
  const head = Math.ceil((max - 1) / 2);
  const tail = max - 1 - head;
  return `${chars.slice(0, head).join('')}…${tail > 0 ? chars.slice(-tail).join('') : ''}`;
}

/** Cuts the end. */
export function truncateEnd(text: string, max: number): string {
  if (text.length <= max) return text;
  const chars = [...text.slice(0, max * 2 + 2)];
  if (chars.length <= max) return text;
  return `${chars.slice(0, Math.max(0, max - 1)).join('')}…`;
}
