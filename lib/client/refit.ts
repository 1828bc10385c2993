/** Suggestions for a text, used on while the next letters of the same word are typed; pure. */
import type { Suggestion } from '@/lib/contract/dead';

const BREAKS = new Set([' ', '\t', '(', ')', '"']);

/**
 * What of the suggestions asked for an earlier text still fits this one, its place in the text corrected. Nothing of another
 * word fits: it would be put in the wrong place.
 */
export function refit(
  asked: { readonly q: string; readonly caret: number; readonly suggestions: readonly Suggestion[] },
  text: string,
  caret: number,
): readonly Suggestion[] {
  if (asked.q === text && asked.caret === caret) return asked.suggestions;
  const longer = text.length - asked.q.length;
  return asked.suggestions.flatMap((suggestion) => {
    const { from, insert } = suggestion;
    const to = suggestion.to + longer;
    const sameWord =
      caret >= from &&
      to >= caret &&
      text.slice(0, from) === asked.q.slice(0, from) &&
      text.slice(to) === asked.q.slice(suggestion.to);
    if (!sameWord) return [];
    const typed = text.slice(from, caret);
    if ([...typed].some((letter) => BREAKS.has(letter))) return [];
    return insert.toLowerCase().startsWith(typed.toLowerCase()) ? [{ ...suggestion, to }] : [];
  });
}
