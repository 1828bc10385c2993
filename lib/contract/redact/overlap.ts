import { asciiLower } from '../query/matches';
import { MASK_TEXT } from './text';

const MASK_LOWER = asciiLower(MASK_TEXT);

/**
 * Whether a text may be found in a redacted payload although it is not in the stored one: some of it would have to be what stands
 * for a hidden value. All else that is in the redacted payload stands in the stored one just so.
 */
export function mayLieInMask(wanted: string): boolean {
  const text = asciiLower(wanted);
  if (text === '' || MASK_LOWER.includes(text) || text.includes(MASK_LOWER)) return true;
  for (let length = 1; length < Math.min(text.length, MASK_LOWER.length); length += 1)
    if (text.endsWith(MASK_LOWER.slice(0, length)) || text.startsWith(MASK_LOWER.slice(-length))) return true;
  return false;
}
