/** Reuses suggestions while the next letters of the same word are typed; pure. */
import type { Suggestion } from '@/lib/contract/search/search-schemas';

const BREAKS = new Set([' ', '\t', '(', ')', '"']);

interface Asked {
  readonly q: string;
  readonly caret: number;
  readonly suggestions: readonly Suggestion[];
}

/**
 * The suggestions for an earlier text that still fit this one, with their position corrected. Suggestions for another
 * word are dropped, because they would be inserted in the wrong position. So is the only one where it stands there already: its list
 * would cover the rows below the field, and offer nothing.
 */
export function reuseSuggestions(asked: Asked, text: string, caret: number): readonly Suggestion[] {
  const fitting = fittingSuggestions(asked, text, caret);
  const [only, ...others] = fitting;
  const stands = only && others.length === 0 && text.slice(only.from, only.to) === only.insert;
  return stands ? [] : fitting;
}

function fittingSuggestions(asked: Asked, text: string, caret: number): readonly Suggestion[] {
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
