/** A–Z in lower case and nothing else, as Redis does it. */
export const asciiLower = (text: string): string =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
