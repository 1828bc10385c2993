/**
 * Whether what one queue hides another hides, too: asked before something is shown by the rules of another queue. Told from the rules
 * alone, so it holds for every payload, also one that is no JSON. Where the rules do not tell, the answer is no.
 */
import { HIDE_ALL } from './rule';
import { folded, hidesName, hidesNothing, isIndex, pointerSteps, type Redaction } from './rules';

/** @returns whether `other` hides, in any payload, all that `one` hides */
export function isCoveredBy(one: Redaction, other: Redaction): boolean {
  if (other.whole || hidesNothing(one)) return true;
  if (one.whole) return false;
  const names = other.rules.filter((rule) => !rule.startsWith('/')).map(nameOf);
  return one.rules.every((rule) => {
    if (other.rules.includes(rule)) return true;
    return rule.startsWith('/')
      ? pathIsCovered(rule, other)
      : names.some((name) => nameCovers(name, nameOf(rule)));
  });
}

interface Name {
  readonly core: string;
  readonly start: boolean;
  readonly end: boolean;
}
const nameOf = (rule: string): Name => ({
  core: folded(rule.replaceAll('*', '')),
  start: rule.startsWith('*'),
  end: rule.endsWith('*'),
});

/** Every name that fits `inner` fits `outer`. */
function nameCovers(outer: Name, inner: Name): boolean {
  if ((inner.start && !outer.start) || (inner.end && !outer.end)) return false;
  if (outer.start && outer.end) return inner.core.includes(outer.core);
  if (outer.start) return inner.core.endsWith(outer.core);
  if (outer.end) return inner.core.startsWith(outer.core);
  return inner.core === outer.core;
}

/** By the name it ends with: text that is no JSON is hidden where that name occurs, so a name further up would not do. */
function pathIsCovered(rule: string, other: Redaction): boolean {
  if (rule === HIDE_ALL) return other.whole;
  const last = pointerSteps(rule).at(-1) ?? '';
  return last !== '*' && !isIndex(last) && hidesName(other, last);
}
