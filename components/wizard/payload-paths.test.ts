import { expect, it } from 'vitest';
import { pointerOf } from './patch-draft';
import { payloadPaths } from './payload-paths';

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
