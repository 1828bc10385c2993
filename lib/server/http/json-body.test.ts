import { expect, test } from 'vitest';
import { shapeOf } from './json-body';

test.each([
  ['', 0],
  ['"[[[["', 0],
  ['"\\"[["', 0],
  ['{"a":[1,{"b":[]}]}', 4],
  ['[[],[],[]]', 2],
])('%j is nested %i deep', (text, depth) => expect(shapeOf(text).depth).toBe(depth));
test('a million levels are counted without recursion', () =>
  expect(shapeOf('['.repeat(1_000_000)).depth).toBe(1_000_000));
