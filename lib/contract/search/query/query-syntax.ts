/** What may stand in a query without quotes, and how everything else is quoted. */

export const PAYLOAD_PREFIX = 'payload.';
/** What word processors make of quotes. */
export const CURLY_QUOTES = '“”„«»';

export const isSpace = (char: string): boolean => char <= ' ' || (char > '~' && /\s/.test(char));
/** White space, a parenthesis or a quote. */
export const endsWord = (char: string): boolean =>
  isSpace(char) || char === '(' || char === ')' || char === '"';

/** In quotes, with backslashes before quotes and backslashes. */
export function quote(text: string): string {
  let out = '"';
  for (const char of text) out += char === '"' || char === '\\' ? `\\${char}` : char;
  return `${out}"`;
}
const some = (text: string, test: (char: string) => boolean): boolean => {
  for (const char of text) if (test(char)) return true;
  return false;
};
/** May stand without quotes after a comparison … */
export const isBareRun = (text: string): boolean =>
  text !== '' &&
  !CURLY_QUOTES.includes(text[0] ?? '') &&
  !some(text, (char) => endsWord(char) || char === '*');
/** Between the ends of a range. */
export const RANGE_DOTS = '..';
/** … and right after the colon. */
export const isBareValue = (text: string): boolean =>
  isBareRun(text) && !'<>='.includes(text[0] ?? '') && !text.includes(RANGE_DOTS);
/** In any case: in small letters it is refused, so that no search for the text "or" happens by mistake. */
export const isKeyword = (text: string): boolean => ['AND', 'OR', 'NOT'].includes(text.toUpperCase());
/** May stand as free text without quotes. */
export const isBareText = (text: string): boolean =>
  text !== '' &&
  !some(text, (char) => endsWord(char) || char === '*' || char === ':') &&
  !`-${CURLY_QUOTES}`.includes(text[0] ?? '') &&
  !text.startsWith(PAYLOAD_PREFIX) &&
  !isKeyword(text);
export const isBareStep = (text: string): boolean =>
  text !== '' && !some(text, (char) => endsWord(char) || char === '*' || char === ':' || char === '.');
