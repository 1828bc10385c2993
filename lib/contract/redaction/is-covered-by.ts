/**
 * Whether what one queue hides another hides, too: asked before something is shown by the rules of another queue. Told from the rules
 * alone, so it holds for every payload, also one that is no JSON. Where the rules do not tell, the answer is no.
 */

import {
  fitsName,
  hidesName,
  hidesNothing,
  isIndex,
  type NameRule,
  nameRule,
  pointerSteps,
  type Redaction,
} from './redaction';
import { HIDE_ALL } from './redaction-default';

/** @returns whether `other` hides, in any payload, all that `one` hides */
export function isCoveredBy(one: Redaction, other: Redaction): boolean {
  if (other.whole || hidesNothing(one)) return true;
  if (one.whole) return false;
  return one.rules.every((rule) => {
    if (other.rules.includes(rule)) return true;
    return rule.startsWith('/')
      ? pathIsCovered(rule, other)
      : other.names.some((name) => nameCovers(name, nameRule(rule)));
  });
}

/** Every name that fits `inner` fits `outer`. */
const nameCovers = (outer: NameRule, inner: NameRule): boolean =>
  (outer.openStart || !inner.openStart) && (outer.openEnd || !inner.openEnd) && fitsName(outer, inner.core);

/** By the name it ends with: text that is no JSON is hidden where that name occurs, so a name further up would not do. */
function pathIsCovered(rule: string, other: Redaction): boolean {
  if (rule === HIDE_ALL) return other.whole;
  const last = pointerSteps(rule).at(-1) ?? '';
  return last !== '*' && !isIndex(last) && hidesName(other, last);
}
