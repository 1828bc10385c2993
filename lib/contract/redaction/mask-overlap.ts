import { asciiLower } from './fold-case';
import { MASK_TEXT } from './redact-text';
import { MASK } from './redaction-default';

/** As it stands in a payload, and in a message. */
const MASKS = [asciiLower(MASK_TEXT), asciiLower(MASK)];

/**
 * Whether a text may be found in a redacted payload or message although it is not in the stored one: some of it would have to be what
 * stands for a hidden value. All else that is redacted stands in the stored one just so.
 */
export function mayLieInMask(wanted: string): boolean {
  const text = asciiLower(wanted);
  return text === '' || MASKS.some((mask) => overlaps(text, mask));
}

function overlaps(text: string, mask: string): boolean {
  if (mask.includes(text) || text.includes(mask)) return true;
  for (let length = 1; length < Math.min(text.length, mask.length); length += 1)
    if (text.endsWith(mask.slice(0, length)) || text.startsWith(mask.slice(-length))) return true;
  return false;
}
