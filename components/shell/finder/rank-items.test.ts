import { expect, it } from 'vitest';
import { rankItems } from './rank-items';

const items = [
  { key: 'p:dead', label: 'Dead letters', keywords: 'dlq failed' },
  { key: 'q:mail-dead', label: 'mail-dead' },
  { key: 'q:undead', label: 'undead' },
  { key: 'q:dead', label: 'dead' },
  { key: 'a:pause', label: 'Pause…' },
  { key: 'q:default', label: 'default' },
  { key: 's:default', label: 'Settings of default' },
];
const ranked = (typed: string, limit = 10) => rankItems(items, typed, limit).map(({ key }) => key);

it('puts the whole label first, then its beginning, then a word in it, then letters inside', () => {
  expect(ranked('dead')).toEqual(['q:dead', 'p:dead', 'q:mail-dead', 'q:undead']);
  expect(ranked('DEAD')).toEqual(ranked('dead'));
});

it('wants every word, in any order', () => {
  expect(ranked('default settings')).toEqual(['s:default']);
  expect(ranked('settings nowhere')).toEqual([]);
});

it('finds by other words and by initials, after all labels', () => {
  expect(ranked('failed')).toEqual(['p:dead']);
  expect(ranked('sod')).toEqual(['s:default']);
});

it('keeps the order of equal matches, and of everything while nothing is typed', () => {
  expect(ranked('  ', 3)).toEqual(['p:dead', 'q:mail-dead', 'q:undead']);
  const equal = Array.from({ length: 30 }, (_, i) => ({ key: `${i}`, label: `queue-${i}` }));
  expect(rankItems(equal, 'queue', 30)).toEqual(equal);
});

it('takes characters of patterns as what they are', () => {
  expect(ranked('.*')).toEqual([]);
  expect(rankItems([{ key: 'x', label: 'a[b' }], 'a[', 5)).toHaveLength(1);
});

it('ignores hyphens, both typed and in labels', () => {
  const actions = [
    { key: 'move', label: 'Move: all dead jobs…' },
    { key: 're-drive', label: 'Re-drive: all dead jobs…' },
    { key: 'redrive', label: 'redrive', keywords: 'died-again' },
  ];
  const keys = (typed: string) => rankItems(actions, typed, 5).map(({ key }) => key);
  expect(keys('redrive all')).toEqual(['re-drive']);
  expect(keys('re-drive')).toEqual(['redrive', 're-drive']);
  expect(keys('Redrive')).toEqual(keys('re-drive'));
  expect(keys('diedagain')).toEqual(['redrive']);
  // A hyphen alone is no text that everything contains.
  expect(keys('-')).toEqual(['re-drive', 'redrive']);
});
