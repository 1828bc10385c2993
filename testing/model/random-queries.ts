/** Random filters, jobs and texts for the tests of the language. */
import fc from 'fast-check';
import { ERROR_CLASSES } from '@/lib/contract/jobs/error-classes';
import {
  COMPARISONS,
  type Filter,
  type JobFacts,
  NAME_FIELDS,
  NUMBER_FIELDS,
} from '@/lib/contract/search/query/filter';
import { writers } from './written-json';

const few = <T>(...values: T[]) => fc.constantFrom(...values);
/** Words from a small box, so that filters and jobs often meet; with everything that must be quoted. */
export const words = few('a', 'ab', 'abc', 'b', 'B', '42', 'order', 'OR', 'x-1');
const oddWords = few(
  'a b',
  '"',
  '\\',
  '-a',
  '*',
  'a*',
  'a:b',
  '(',
  ')',
  '>5',
  '=',
  '..',
  'NOT',
  'or',
  'ä',
  '“a”',
  '😀',
  '\u00a0',
  '\n',
  '',
);
const ids = few('0123456789ab', '0123456789ac', 'ffffffffffff');
const names = fc.oneof(words, few('HTTP_503', 'invoice.paid', 'invoice.sent', 'z'));
const references = fc.oneof(names, few('a:b', '"', 'a(b)', '>1', '*', 'a*b', '\\', '-', 'AND'));

const nameLeaf: fc.Arbitrary<Filter> = fc
  .record({
    field: few(...NAME_FIELDS),
    prefix: fc.boolean(),
    name: names,
    reference: references,
    id: ids,
    cut: fc.nat(13),
  })
  .map(({ field, prefix, name, reference, id, cut }) => {
    const whole =
      field === 'class'
        ? (ERROR_CLASSES[name.length % ERROR_CLASSES.length] ?? 'crash')
        : field === 'group'
          ? id
          : ['key', 'correlation', 'trace'].includes(field)
            ? reference
            : name;
    return { kind: 'name', field, prefix, value: prefix ? whole.slice(0, cut) : whole };
  });
const numberLeaf: fc.Arbitrary<Filter> = fc.record({
  kind: few('number' as const),
  field: few(...NUMBER_FIELDS),
  compare: few(...COMPARISONS),
  value: fc.oneof(fc.integer({ min: -3, max: 5 }), fc.maxSafeInteger()),
});
const ageLeaf: fc.Arbitrary<Filter> = fc.record({
  kind: few('age' as const),
  compare: few(...COMPARISONS),
  ms: fc.oneof(
    fc.nat(20),
    fc.nat(1_000).map((n) => n * 60_000),
    fc.maxSafeInteger().map(Math.abs),
  ),
});
const numbers = few('0', '1', '42', '42.0', '4.2e1', '-1', '9007199254740992', '9007199254740993', '1e400');
export const steps = fc.oneof(
  few('a', 'b', '0', '1', 'odd key', 'a.b', '', '"', '__proto__', '*', ':'),
  words,
);
const RANGES: readonly (readonly [string, string])[] = [
  ['0', '1'],
  ['-1', '42.0'],
  ['42', '4.2e1'],
  ['9007199254740992', '9007199254740993'],
  ['9007199254740993', '1e400'],
];
const payloadLeaf: fc.Arbitrary<Filter> = fc
  .record({
    kind: few('payload' as const),
    path: fc.array(steps, { minLength: 1, maxLength: 3 }),
    compare: few(...COMPARISONS),
    value: fc.oneof(words, oddWords, numbers, few('true', 'null')),
    number: numbers,
    range: fc.option(few(...RANGES), { nil: null }),
    prefix: fc.boolean(),
  })
  .map(({ number, range, ...leaf }) => {
    if (leaf.compare === '=') return leaf;
    if (leaf.compare !== '>=' || !range) return { ...leaf, value: number, prefix: false };
    return { ...leaf, value: range[0], upTo: range[1], prefix: false };
  });
const textLeaf: fc.Arbitrary<Filter> = fc.record({
  kind: few('text' as const),
  value: fc.oneof(words, oddWords),
});
export const leaves = fc.oneof(nameLeaf, numberLeaf, ageLeaf, payloadLeaf, textLeaf);

/** Any filter the language can say: at most 64 conditions, joined at most five deep. */
export const filters: fc.Arbitrary<Filter> = fc
  .letrec<{ node: Filter }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      leaves,
      fc.record({
        kind: few('and' as const, 'or' as const),
        of: fc.array(tie('node'), { minLength: 0, maxLength: 3 }),
      }),
      fc.record({ kind: few('not' as const), of: tie('node') }),
      few<Filter>({ kind: 'all' }),
    ),
  }))
  .node.filter((filter) => leafCount(filter) <= 64);
const leafCount = (filter: Filter): number =>
  filter.kind === 'and' || filter.kind === 'or'
    ? filter.of.reduce((sum, part) => sum + leafCount(part), 0)
    : filter.kind === 'not'
      ? leafCount(filter.of)
      : 1;

/** Text that is often nearly a query. */
export const queryTexts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      few(
        ...[
          'type:',
          'age:',
          'attempts:',
          'payload.',
          'payload.a:',
          'key:',
          'class:',
          'group:',
          'tpye:',
          'a',
          'b c',
          '42',
          '>=',
          '<',
          '=',
          '..',
        ],
        ...[
          '1h',
          '30m',
          '-',
          ' ',
          ' ',
          ' OR ',
          ' AND ',
          ' NOT ',
          '(',
          ')',
          '"',
          '\\',
          '*',
          ':',
          '.',
          'crash',
          'ab12',
          'x"y',
          '"a b"',
          ' or ',
          '😀',
        ],
      ),
      { maxLength: 25 },
    )
    .map((parts) => parts.join('')),
);

/** A payload: as it is written, and what was meant by it. */
export type Meant =
  | { number: string }
  | { string: string }
  | { word: string }
  | { list: Meant[] }
  | { object: [string, Meant][] };
export interface Written {
  readonly text: string;
  readonly meant: Meant;
}
export const payloads: fc.Arbitrary<Written> = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    numbers.map((number): Written => ({ text: number, meant: { number } })),
    few('true', 'null').map((word): Written => ({ text: word, meant: { word } })),
    fc
      .oneof(words, oddWords, numbers)
      .chain((string) => writers.map((write): Written => ({ text: write(string), meant: { string } }))),
    fc.array(tie('value'), { maxLength: 3 }).map(
      (list): Written => ({
        text: `[${list.map(({ text }) => text).join(', ')}]`,
        meant: { list: list.map(({ meant }) => meant) },
      }),
    ),
    fc.uniqueArray(fc.tuple(steps, tie('value')), { maxLength: 3, selector: ([key]) => key }).map(
      (entries): Written => ({
        text: `{${entries.map(([key, { text }]) => `${JSON.stringify(key)} : ${text}`).join(',')}}`,
        meant: { object: entries.map(([key, { meant }]): [string, Meant] => [key, meant]) },
      }),
    ),
  ),
})).value;
const json = payloads.map(({ text }) => text);
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
export const jobFacts: fc.Arbitrary<JobFacts> = fc.record({
  queue: names,
  id: names,
  type: names,
  version: fc.integer({ min: 1, max: 3 }),
  tenant: names,
  priority: fc.integer({ min: -3, max: 3 }),
  attempts: fc.nat(5),
  code: orNull(names),
  class: orNull(few(...ERROR_CLASSES)),
  group: orNull(ids),
  key: orNull(references),
  correlation: orNull(references),
  trace: orNull(references),
  operation: orNull(names),
  enteredAt: fc.nat(1_000_000_000),
  payload: orNull(fc.oneof({ weight: 5, arbitrary: json }, { weight: 1, arbitrary: queryTexts })),
  message: orNull(fc.oneof(words, oddWords)),
});
