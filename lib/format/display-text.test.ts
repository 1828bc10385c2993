import { expect, it } from 'vitest';
import { bytes } from './bytes';
import { detailText, revealHidden, titleText, truncateEnd, truncateMiddle } from './display-text';
import { count, plural } from './plural';

it('shows characters that hide', () => {
  expect(revealHidden('plain ~')).toBe('plain ~');
  expect(revealHidden('zażółć 漢字 🙂')).toBe('zażółć 漢字 🙂');
  expect(revealHidden('abc\u202Etxt.exe')).toBe('abc⟨U+202E⟩txt.exe');
  expect(revealHidden('a\u200Bb\uFEFF\u0000')).toBe('a⟨U+200B⟩b⟨U+FEFF⟩⟨U+0000⟩');
  expect(revealHidden('\u{E0041}')).toBe('⟨U+E0041⟩');
  expect(revealHidden('\uD800')).toBe('⟨U+D800⟩');
  expect(revealHidden('a\n\tb\u001b[31m', '\n\t')).toBe('a\n\tb⟨U+001B⟩[31m');
  expect(revealHidden('')).toBe('');
});

it('truncates without splitting a character', () => {
  expect(truncateMiddle('short', 10)).toBe('short');
  expect(truncateMiddle('01HZX8ABCDEFGH9QK2', 9)).toBe('01HZ…9QK2');
  expect(truncateMiddle('🙂🙂🙂🙂🙂', 3)).toBe('🙂…🙂');
  expect([truncateMiddle('abc', 2), truncateMiddle('abc', 1), truncateMiddle('abc', 0)]).toEqual([
    'a…',
    '…',
    '…',
  ]);
  expect([truncateEnd('abcdef', 4), truncateEnd('abc', 3), truncateEnd('🙂🙂🙂', 2)]).toEqual([
    'abc…',
    'abc',
    '🙂…',
  ]);
});

it.each([
  [0, '0 B'],
  [512, '512 B'],
  [1023, '1,023 B'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [1_048_575, '1 MiB'],
  [24_536_678, '23.4 MiB'],
  [-2048, '-2 KiB'],
  [2 ** 70, '1,048,576 PiB'],
  [Number.NaN, '–'],
  [null, '–'],
])('bytes(%s) → %s', (n, text) => expect(bytes(n)).toBe(text));

it('counts things', () => {
  expect([count(0, 'job'), count(1, 'job'), count(12_400, 'job')]).toEqual([
    '0 jobs',
    '1 job',
    '12,400 jobs',
  ]);
  expect([plural(1n, 'entry', 'entries'), plural(2, 'entry', 'entries')]).toEqual(['entry', 'entries']);
  expect(count(Number.NaN, 'job')).toBe('– jobs');
});

it('C31: line breaks are spaces in a title, and line breaks in a detail, whatever system wrote them', () => {
  const text = 'progress\r50%\r\n\n100%\tok\u202e';
  expect(titleText(text)).toBe('progress 50% 100% ok⟨U+202E⟩');
  expect(detailText(text)).toBe('progress\n50%\n\n100%\tok⟨U+202E⟩');
});
