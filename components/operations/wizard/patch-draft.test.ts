import { describe, expect, it } from 'vitest';
import {
  asRaw,
  asRows,
  changeRow,
  NO_PATCH,
  type PatchDraft,
  payloadPaths,
  pointerOf,
  readPatch,
  withoutRow,
  withRow,
} from './patch-draft';

const row = (change: Partial<PatchDraft['rows'][number]>): PatchDraft => changeRow(NO_PATCH, 0, change);

describe('a patch as a user writes it', () => {
  it.each([
    ['order.items.0', '/order/items/0'],
    ['/a/b~1c', '/a/b~1c'],
    ['odd/key', '/odd~1key'],
    ['til~de.x', '/til~0de/x'],
    [' a ', '/a'],
  ])('takes %s as %s', (path, pointer) => expect(pointerOf(path)).toBe(pointer));

  it.each([
    ['42', 42],
    ['true', true],
    ['null', null],
    ['EUR', 'EUR'],
    ['"42"', '42'],
    ['{"a":[1]}', { a: [1] }],
    ['{a', '{a'],
  ])('takes %s as the value it is', (value, parsed) => {
    expect(readPatch(row({ path: 'a', value }))).toEqual({
      steps: [{ op: 'replace', path: '/a', value: parsed }],
      problem: null,
    });
  });

  it('says what is missing, and where', () => {
    expect(readPatch(NO_PATCH).problem).toBe('give a field, such as order.currency.');
    expect(readPatch(row({ path: 'a' })).problem).toContain('give a value');
    const two = withRow(row({ op: 'remove', path: 'a' }));
    expect(readPatch(two).problem).toMatch(/^Line 2: /);
    expect(readPatch({ rows: [], raw: '{' }).problem).toBe('This is not valid JSON.');
    expect(readPatch({ rows: [], raw: '[]' }).problem).toContain('1 to 20 steps');
    expect(readPatch({ rows: [], raw: '[{"op":"move","path":"/a"}]' }).problem).toMatch(/^Step 1: /);
  });

  it('refuses numbers that would be rounded', () => {
    expect(readPatch(row({ path: 'a', value: '9007199254740993' })).problem).toContain('rounded');
    expect(readPatch(row({ path: 'a', value: '"9007199254740993"' })).problem).toBeNull();
    const raw = '[{"op":"add","path":"/a","value":9007199254740993}]';
    expect(readPatch({ rows: [], raw }).problem).toContain('rounded');
  });

  it('goes from rows to JSON and back', () => {
    const draft = withRow(row({ path: 'a.b', value: '"42"' }));
    const second = changeRow(draft, 1, { op: 'remove', path: '/c' });
    const back = asRows(asRaw(second));
    expect(readPatch(back)).toEqual(readPatch(second));
    expect(back.rows.map(({ value }) => value)).toEqual(['"42"', '']);
  });

  it('keeps a line when the last one is taken away, and stops at twenty', () => {
    expect(withoutRow(row({ path: 'a' }), 0).rows).toHaveLength(1);
    let draft = NO_PATCH;
    for (let i = 0; i < 30; i++) draft = withRow(draft);
    expect(draft.rows).toHaveLength(20);
    expect(new Set(draft.rows.map(({ key }) => key)).size).toBe(20);
  });
});

it('lists the fields of payloads, once each', () => {
  expect(payloadPaths(['{"a":{"b":1},"c":[{"d":2},3,4]}', '{"a":5,"e":null}', 'no json'])).toEqual([
    'a',
    'a.b',
    'c',
    'c.0',
    'c.0.d',
    'c.1',
    'e',
  ]);
});
it('writes odd keys so that they point where they should', () => {
  const [, path] = payloadPaths(['{"a":{"x.y/z~":1}}']);
  expect(pointerOf(path ?? '')).toBe('/a/x.y~1z~0');
});
it('stays bounded', () => {
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])));
  expect(payloadPaths([wide, wide])).toHaveLength(60);
});
