/** Any query of the whole language, over the jobs of search-jobs.ts: what they have, what they nearly have, and hostile words. */
import fc from 'fast-check';
import type { Comparison, Filter } from '@/lib/contract/search/query';
import { CLASSES, CODES, QUEUES, TENANTS, TYPES } from './search-jobs';

const COMPARE: Comparison[] = ['=', '<', '<=', '>', '>='];
const HOSTILE = [
  '%',
  '^$().[]*+-?',
  '%d',
  '.*',
  '',
  ' ',
  '\\',
  '"',
  '\u0000',
  'é',
  '\u{1f600}',
  '\ud800',
  '|',
  '}',
  'GRÖSSE',
];

/** Any filter of the whole language. `groups`: such as there are. */
export function anyFilter(groups: readonly string[], depth = 3): fc.Arbitrary<Filter> {
  const value = (...list: readonly string[]) => fc.constantFrom(...list, ...HOSTILE);
  const name = (field: Extract<Filter, { kind: 'name' }>['field'], list: readonly string[]) =>
    fc.record({
      kind: fc.constant('name' as const),
      field: fc.constant(field),
      value: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...list) },
        { weight: 1, arbitrary: value(...list) },
      ),
      prefix: fc.boolean(),
    });
  const leaf: fc.Arbitrary<Filter> = fc.oneof(
    name('queue', [...QUEUES, 'ma', 'nobody']),
    name('type', [...TYPES, 'nobody', 'ma']),
    name('tenant', [...TENANTS, 'A']),
    name('code', [...CODES, 'HTTP_', 'CANCELLED', 'AGAIN']),
    name('class', [...CLASSES, 'cancelled', 'p']),
    name('group', [...groups, ...groups.map((group) => group.slice(0, 1))]),
    name('id', ['j0001', 'J0004', 'job.0008', 'j00', 'job', 'none']),
    name('key', ['k-1', 'k-', 'a"b\\c', 'a"', '{"key":"k-1"}']),
    name('correlation', ['corr-3', 'corr']),
    name('trace', ['trace/0', 'trace', 'trace/4']),
    name('operation', ['op-1', 'op']),
    fc.record({
      kind: fc.constant('number' as const),
      field: fc.constantFrom('attempts' as const, 'priority' as const, 'version' as const),
      compare: fc.constantFrom(...COMPARE),
      value: fc.integer({ min: -4, max: 5 }),
    }),
    fc.record({
      kind: fc.constant('age' as const),
      compare: fc.constantFrom(...COMPARE),
      ms: fc.constantFrom(
        0,
        1,
        2,
        59_999,
        60_000,
        60_001,
        3_599_999,
        3_600_000,
        90_000_000,
        366 * 86_400_000,
      ),
    }),
    fc.record({
      kind: fc.constant('payload' as const),
      path: fc.constantFrom(
        ['order', 'id'],
        ['n'],
        ['x'],
        ['ok'],
        ['tags'],
        ['s'],
        ['order', '0', 'id'],
        ['deep', 'a', 'b', 'c'],
        ['%d'],
        ['order'],
      ),
      compare: fc.constantFrom(...COMPARE, '=' as const, '=' as const),
      value: value(
        '42',
        '42.0',
        '7',
        '9007199254740993',
        '9007199254740992',
        'null',
        'true',
        'red',
        'END',
        'aéb',
        'a/b"c',
        '0',
        '4',
        '-0',
      ),
      prefix: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('text' as const),
      value: value(
        'order',
        'ORDER',
        '42',
        'no such',
        'timeout',
        'größe',
        'at "here"',
        'C:\\temp',
        'J00',
        'http_50',
        'hook',
        'END',
        '\\u00e9',
        'ÿþ',
      ),
    }),
  );
  if (depth === 0) return leaf;
  const inner = anyFilter(groups, depth - 1);
  const several = fc.array(inner, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 3, arbitrary: several.map((of) => ({ kind: 'and' as const, of })) },
    { weight: 2, arbitrary: several.map((of) => ({ kind: 'or' as const, of })) },
    { weight: 2, arbitrary: inner.map((of) => ({ kind: 'not' as const, of })) },
  );
}
