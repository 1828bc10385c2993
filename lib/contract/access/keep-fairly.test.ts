/** Who fills a list loses items, and nobody else does. */
import { expect, it } from 'vitest';
import { keepFairly } from './keep-fairly';

const of = (letters: string) => [...letters].map((holder, n) => ({ holder, n }));
const keep = (letters: string, most: number) =>
  keepFairly(of(letters), most, ({ holder }) => holder)
    .map(({ holder, n }) => `${holder}${n}`)
    .join(' ');

it('keeps all that there is room for', () => {
  expect(keep('abca', 4)).toBe('a0 b1 c2 a3');
  expect(keep('', 4)).toBe('');
});

it('takes from the holder of most, the oldest first', () => {
  expect(keep('baaaaaa', 3)).toBe('b0 a5 a6');
  expect(keep('aaaaaabb', 4)).toBe('a4 a5 b6 b7');
});

it('uses all the room, however the shares divide', () => {
  expect(keep('aaabbbccc', 5).split(' ')).toHaveLength(5);
  expect(keep('abcd', 2)).toBe('c2 d3');
  for (let most = 0; most < 12; most++)
    expect(keepFairly(of('abbcccaaaddd'), most, ({ holder }) => holder)).toHaveLength(most);
});
