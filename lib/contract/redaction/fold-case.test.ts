import { expect, it } from 'vitest';
import { foldCase } from './fold-case';

it.each([
  ['PASSWÖRD', 'passwörd'],
  ['paſſwort', 'passwort'],
  ['İSTANBUL ısı', 'istanbul isi'],
  ['ΟΔΥΣΣΕΥΣ Οδυσσεύς', 'οδυσσευσ οδυσσεύσ'],
  ['STRASSE Straße STRAẞE', 'strasse straße straße'],
  ['\u212Aelvin ŁÓDŹ ДОМ', 'kelvin łódź дом'],
  ['𐐀𐐨 ﬁ', '𐐨𐐨 ﬁ'],
])('%s is compared as %s', (text, folded) => {
  expect(foldCase(text)).toBe(folded);
});

it('keeps every letter of Unicode in its place, and folds what is folded no further', () => {
  for (let point = 0; point <= 0x1ffff; point += 1) {
    const letter = String.fromCodePoint(point);
    const folded = foldCase(letter);
    if (folded.length !== letter.length || foldCase(folded) !== folded)
      expect.unreachable(`U+${point.toString(16)}: ${letter} → ${folded}`);
    // One letter for a letter in both cases, unless its other case is several letters.
    const upper = letter.toUpperCase();
    if (upper.length === letter.length && upper !== letter && foldCase(upper) !== folded)
      expect.unreachable(`U+${point.toString(16)}: ${upper} is not ${letter}`);
  }
});
