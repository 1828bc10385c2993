/** Letters without their case, so that hidden names and values are found however they are written. */

/** A–Z in lower case and nothing else, as Redis does it. */
export const asciiLower = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Letters with a case, those of ASCII left out: most text has none, and costs nothing. */
const CASED = /(?![a-z])\p{Changes_When_Casemapped}/gu;

/** As long as the text, so that a place in the folded text is the same place in the text: `ß` stays, `ſ` is `s`, `İ` and `ı` are `i`. */
export const foldCase = (text: string): string => asciiLower(text).replace(CASED, foldLetter);

function foldLetter(letter: string): string {
  const lower = letter.toLowerCase();
  const folded = letter.toUpperCase().toLowerCase();
  if (folded.length === letter.length) return folded;
  // İ becomes i and a dot of its own.
  return lower.length === letter.length ? lower : lower.slice(0, letter.length);
}
