/** What a password must be: long, and hard to guess for a machine that knows what people choose. No rules about kinds of letters. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '../contract/access/access-limits';

/**
 * Of zxcvbn's 0 to 4: more than 10^10 guesses. At 3 it lets three of the commonest words through, such as `letmeinplease123`: with each further
 * word it reckons with 10^4 guesses for not knowing how many there are.
 */
const SCORE_MIN = 4;
/** Estimating takes far longer the longer the text, with nothing else running; what comes behind only makes it harder to guess. */
const ESTIMATED_CHARS = 40;
/** Words every attacker of this console tries first. */
const OWN_WORDS = ['redrive', 'redis', 'console', 'operator', 'admin'];

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** Why this is no password for that user, as a sentence; null: it is one. `password` in NFC. */
export function passwordProblem(password: string, userName: string): string | null {
  const length = [...password].length;
  if (length < PASSWORD_MIN_CHARS)
    return `The password must have at least ${PASSWORD_MIN_CHARS} characters; this one has ${length}. A sentence of a few words is easy to keep in mind.`;
  if (password.length > PASSWORD_MAX_CHARS)
    return `The password must have at most ${PASSWORD_MAX_CHARS} characters.`;
  const plain = password.toLowerCase();
  const names = [userName, ...userName.split(/[\s._@-]+/)].map((name) => name.toLowerCase());
  if (names.some((name) => name.length >= 3 && plain.includes(name)))
    return 'The password must not contain the name of its user.';
  const { score } = estimator.check(password.slice(0, ESTIMATED_CHARS), [...names, ...OWN_WORDS]);
  if (score < SCORE_MIN)
    return 'The password is too easy to guess: it is a known one, a pattern, or repeats itself. Take several words that do not belong together.';
  return null;
}
