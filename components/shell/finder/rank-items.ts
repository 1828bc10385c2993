/** Which items fit a typed text, the best first; pure. */

export interface Rankable {
  readonly key: string;
  readonly label: string;
  /** Other words that find it. */
  readonly keywords?: string;
}

/** Better matches have higher numbers; 0: no match. */
const [EXACT, PREFIX, WORD, INSIDE, KEYWORD, LETTERS] = [6, 5, 4, 3, 2, 1];
const WORD_START = /[\s._\-/:#]/;

/** How well one typed word fits a label. Letters in order count only within one word's length of each other. */
function wordScore(word: string, label: string, keywords: string): number {
  if (label === word) return EXACT;
  const at = label.indexOf(word);
  if (at === 0) return PREFIX;
  if (at > 0) {
    for (let i = at; i >= 0; i = label.indexOf(word, i + 1))
      if (WORD_START.test(label[i - 1] ?? '')) return WORD;
    return INSIDE;
  }
  if (keywords.includes(word)) return KEYWORD;
  return word.length >= 3 && hasInitials(word, label) ? LETTERS : 0;
}

/** `pdq` for "pause default queue": each letter begins a word, in order. */
function hasInitials(letters: string, label: string): boolean {
  let next = 0;
  for (let i = 0; i < label.length && next < letters.length; i += 1)
    if ((i === 0 || WORD_START.test(label[i - 1] ?? '')) && label[i] === letters[next]) next += 1;
  return next === letters.length;
}

/** "redrive" finds "Re-drive", and "re-drive" a queue "redrive": not everyone types the hyphens. */
const withoutHyphens = (text: string): string => text.replace(/[-\u2010\u2011]/g, '');

/** The better score of the texts as they are, where a hyphen begins a word, and without hyphens. */
function textScore(text: string, label: Spelling, keywords: Spelling): number {
  const plain = withoutHyphens(text);
  const score = wordScore(text, label.typed, keywords.typed);
  return plain === '' ? score : Math.max(score, wordScore(plain, label.plain, keywords.plain));
}

interface Spelling {
  readonly typed: string;
  readonly plain: string;
}
const spellingOf = (text: string): Spelling => {
  const typed = text.toLowerCase();
  return { typed, plain: withoutHyphens(typed) };
};

/**
 * Every typed word must fit. Equal scores keep the order of the items, so that a list does not change its order for other reasons than
 * the typed text.
 */
export function rankItems<T extends Rankable>(items: readonly T[], typed: string, limit: number): T[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return items.slice(0, limit);
  const words = text.split(/\s+/);
  const scored = items.flatMap((item) => {
    const label = spellingOf(item.label);
    const keywords = spellingOf(item.keywords ?? '');
    const scores = words.map((word) => textScore(word, label, keywords));
    if (scores.includes(0)) return [];
    const whole = textScore(text, label, keywords);
    return [
      { item, score: Math.max(whole, Math.min(...scores)) * 10 + (words.length > 1 && whole > 0 ? 1 : 0) },
    ];
  });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ item }) => item);
}
