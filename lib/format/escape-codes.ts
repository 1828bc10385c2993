/** Colours, links and cursor moves of terminals: programs write them into the texts of their errors. */

/** In this order: with parameters, links and titles, device strings, short codes. Each stops at the next escape, so time is linear. */
const ESCAPE_CODES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes are control characters
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[ -/]*[0-~]/g;

/** The text as a terminal would show it, without colours. */
export const withoutEscapeCodes = (text: string): string =>
  text.includes('\u001b') || text.includes('\u009b') ? text.replace(ESCAPE_CODES, '') : text;
