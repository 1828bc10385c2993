import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonScanner, jsonStart, unquoteJson } from './json-scanner';

function tokens(text: string): [kind: string, token: string][] {
  const scan = new JsonScanner(text, jsonStart(text));
  const all: [string, string][] = [];
  while (scan.next()) all.push([scan.kind, scan.token]);
  return all;
}

it('yields every token of a JSON text, with its exact characters', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (value, isIndented) => {
      const found = tokens(JSON.stringify(value, null, isIndented ? 2 : 0));
      expect(found.every(([kind]) => kind !== 'invalid')).toBe(true);
      expect(found.map(([, token]) => token).join('')).toBe(JSON.stringify(value));
    }),
  );
  expect(tokens('\uFEFF{"a\\"":9007199254740993}')).toEqual([
    ['{', '{'],
    ['string', '"a\\""'],
    [':', ':'],
    ['number', '9007199254740993'],
    ['}', '}'],
  ]);
});

it.each(['"cut off', '"ends in an escape\\"', "'", '-', '+1', 'nul', '\u00a0'])('%j is no token', (text) => {
  expect(tokens(text)[0]?.[0]).toBe('invalid');
});

it('tells names from values, and skips a value as a whole', () => {
  const scan = new JsonScanner('{"a" : [1, {"b": "]"}], "c": 2}');
  for (const name of ['"a"', '"c"']) {
    while (scan.token !== name) expect(scan.next()).toBe(true);
    expect(scan.isName).toBe(true);
    scan.next();
    scan.next();
    expect(scan.isName).toBe(false);
    scan.skipValue();
    expect(scan.token).toBe(name === '"a"' ? '[1, {"b": "]"}]' : '2');
  }
});

it('reads a string token, and refuses what JSON does not allow in one', () => {
  expect(unquoteJson('"\\u0041"')).toBe('A');
  expect(() => unquoteJson('"\n"')).toThrow(SyntaxError);
});
