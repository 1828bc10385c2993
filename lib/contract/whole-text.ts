import { z } from 'zod';

/**
 * A text that is written to Redis as it is. UTF-8 has no bytes for half of a surrogate pair: it would be stored as U+FFFD, and two
 * different texts would become the same.
 * @param rule what is said of a value that is no text
 */
export const wholeText = (rule?: string) =>
  z
    .string(rule)
    .refine(
      (text) => text.isWellFormed(),
      'holds half of a character (a surrogate without its other half), as a text that was cut in the middle of an emoji does: send whole characters, or bytes as base64',
    );
