/** What every match must have in its rows, so that most others are told by one look at them. */
import { asciiLower, type Filter } from '@/lib/contract/query';
import { mayLieInMask } from '@/lib/contract/redaction';
import { REFERENCE, REFERENCE_FIELDS } from './names';

export interface Required {
  readonly needle: string;
  /** Anywhere, whatever the case of A–Z, or as it is in the job row. */
  readonly how: 'text' | 'row';
  /** Of a text, some of it that has no letters: found without a look at capitals. Empty: there is none of use. */
  readonly part: string;
}

/**
 * @param terms which all must hold
 * @param redacted payloads are judged with something in place of what is hidden
 */
export function requiredBy(terms: readonly Filter[], redacted: boolean): Required | null {
  for (const term of terms)
    if (term.kind === 'text' && isAsInJson(term.value) && !(redacted && mayLieInMask(term.value)))
      return { needle: asciiLower(term.value), how: 'text', part: withoutLetters(term.value) };
  for (const term of terms)
    if (term.kind === 'name' && REFERENCE_FIELDS.has(term.field) && REFERENCE.test(term.value))
      return { needle: referenceIn(term), how: 'row', part: '' };
  return null;
}

/** The longest run without letters of two or more; lower case and capitals are only of A–Z. */
const withoutLetters = (text: string): string =>
  (text.match(/[^A-Za-z]{2,}/g) ?? []).reduce((best, run) => (run.length > best.length ? run : best), '');

/** How it stands in the second line of a row. */
export function referenceIn({ field, value, prefix }: Extract<Filter, { kind: 'name' }>): string {
  const json = JSON.stringify(value);
  return `"${field}":${prefix ? json.slice(0, -1) : json}`;
}

/** What stands in JSON as it is, without a backslash before it. */
const isAsInJson = (text: string) => JSON.stringify(text) === `"${text}"`;
