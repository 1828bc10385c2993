/** The mask, the rules of a queue that sets none, and their limits. */

/** What stands where something was hidden: as a string of JSON. */
export const MASK = '[redacted]';
export const REDACTION_RULES_MAX = 50;
/** The rule that hides all of a payload. */
export const HIDE_ALL = '/';

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
