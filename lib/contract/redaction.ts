/**
 * What of a payload is hidden. Applied on the server before a payload leaves it, and before a query is judged, so that a search is
 * no way to guess what is hidden. Names match in any depth; paths name one place.
 */
import { z } from 'zod';

/** What stands where something was hidden. */
export const MASK = '[redacted]';
export const REDACTION_RULES_MAX = 50;

/**
 * `password`: a member of that name at any depth, whatever its case, `-` and `_` aside. `*token*`, `secret*`, `*key`: a `*` at either end
 * stands for any letters; nowhere else. `/card/number`: one place (RFC 6901), `/items/*` + `/price`: `*` as a whole step is any entry.
 */
export const redactionRuleSchema = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must be at most 200 characters')
  .regex(/^(\/[^\p{Cc}]*|\*?[^/*\s\p{Cc}]+\*?)$/u, {
    message: 'must be a name (with * at its ends for any letters) or a path that begins with /',
  });
export const redactionRulesSchema = z
  .array(redactionRuleSchema)
  .max(REDACTION_RULES_MAX, `at most ${REDACTION_RULES_MAX} rules`);

/** Hidden in every queue unless it says otherwise. */
export const REDACTION_DEFAULT: readonly string[] = [
  '*password*',
  '*passwd*',
  '*secret*',
  '*token*',
  '*apikey*',
  '*authorization*',
  '*cookie*',
  '*credential*',
  '*privatekey*',
  'cardnumber',
  'cvv',
  'cvc',
  'ssn',
  'iban',
];
