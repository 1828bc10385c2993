import { expect, it } from 'vitest';
import { childCount, type JsonNode, readJson } from './read-json';

function plain(node: JsonNode): unknown {
  if (node.kind === 'object') return Object.fromEntries(node.members.map((e) => [e.key, plain(e.value)]));
  if (node.kind === 'array') return node.items.map(plain);
  return JSON.parse(node.text);
}

it.each([
  '{}',
  '[]',
  '0',
  '-1.5e3',
  'null',
  ' "a\\n\\u00e9" ',
  '[1,[2,[]],{"a":{"b":[true,false]}}]',
  '{"x":"}","y":[{}]}',
])('reads %s as JSON.parse does', (text) => {
  const result = readJson(text);
  expect(result.ok && plain(result.node)).toEqual(JSON.parse(text));
});

it.each([
  '',
  ' ',
  '{',
  '[1,]',
  '{"a":1,}',
  '{a:1}',
  '01',
  '1 2',
  '"\n"',
  '"\\x"',
  'nul',
  '[1 2]',
  '{"a" 1}',
  ']',
  'NaN',
  '[1}',
  '\uFEFF{}',
])('refuses %j, as JSON.parse does', (text) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(readJson(text)).toEqual({ ok: false, reason: 'invalid' });
});

it('keeps big integers, odd spellings and duplicate keys', () => {
  const result = readJson('{"id":9007199254740993,"id":1.10,"__proto__":1}');
  if (!result.ok || result.node.kind !== 'object') throw new Error('not an object');
  expect(result.node.members.map((e) => [e.key, e.value.kind === 'number' ? e.value.text : ''])).toEqual([
    ['id', '9007199254740993'],
    ['id', '1.10'],
    ['__proto__', '1'],
  ]);
});

it('gives up at its bounds instead of throwing', () => {
  const deep = 1_000_000;
  expect(readJson('['.repeat(deep) + ']'.repeat(deep))).toEqual({ ok: false, reason: 'large' });
  expect(readJson('['.repeat(deep), { maxChars: 1e9 })).toEqual({ ok: false, reason: 'deep' });
  expect(readJson(`${'{"a":'.repeat(61)}1${'}'.repeat(61)}`)).toEqual({ ok: false, reason: 'deep' });
  expect(readJson(`[${'1,'.repeat(30_000)}1]`)).toEqual({ ok: false, reason: 'large' });
  expect(readJson(`"${'x'.repeat(250_000)}"`).ok).toBe(true);
});

it('counts children', () => {
  const result = readJson('[1,2]');
  expect(result.ok && childCount(result.node)).toBe(2);
  expect(childCount({ kind: 'string', text: '""' })).toBeNull();
});
