import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  bytesText,
  durationText,
  parseBytes,
  parseDuration,
  parseNumber,
  parseRate,
  rateText,
} from './parse-units';

describe('durations', () => {
  test.each<[string, number | undefined]>([
    ['90s', 90_000],
    ['90 s', 90_000],
    ['2h', 7_200_000],
    ['1.5h', 5_400_000],
    ['1d 12h', 129_600_000],
    ['1d12h', 129_600_000],
    ['250ms', 250],
    ['5 min', 300_000],
    ['2W', 1_209_600_000],
    ['0s', 0],
    ['', undefined],
    ['90', undefined],
    ['s', undefined],
    ['-5s', undefined],
    ['5 fortnights', undefined],
    ['5s and more', undefined],
    ['1e3s', undefined],
  ])('%j is %s ms', (text, ms) => expect(parseDuration(text)).toBe(ms));

  it('what is written is read back exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_650 * 86_400_000 }), (ms) => {
        expect(parseDuration(durationText(ms))).toBe(ms);
      }),
    );
  });
  test.each<[number, string]>([
    [0, '0s'],
    [90_000, '1m 30s'],
    [3_600_000, '1h'],
    [86_400_000 * 30, '30d'],
    [1_500, '1s 500ms'],
  ])('%s ms is written %j', (ms, text) => expect(durationText(ms)).toBe(text));
});

describe('sizes', () => {
  test.each<[string, number | undefined]>([
    ['512 MiB', 536_870_912],
    ['1.5GB', 1_500_000_000],
    ['4096 B', 4_096],
    ['64k', 65_536],
    ['512', undefined],
    ['12 bits', undefined],
  ])('%j is %s bytes', (text, size) => expect(parseBytes(text)).toBe(size));
  it('what is written is read back exactly', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: 0, max: 1_000_000_000_000 }),
          fc.integer({ min: 1, max: 900 }).map((mib) => mib * 1_024 ** 2),
        ),
        (size) => {
          expect(parseBytes(bytesText(size))).toBe(size);
        },
      ),
    );
  });
  test('whole units are used where they fit', () => expect(bytesText(536_870_912)).toBe('512 MiB'));
});

describe('rates', () => {
  test.each<[string, number | undefined]>([
    ['10', 10],
    ['0.5', 0.5],
    ['10/s', 10],
    ['90/min', 1.5],
    ['30 / m', 0.5],
    ['36/h', 0.01],
    ['', undefined],
    ['fast', undefined],
    ['5/fortnight', undefined],
    ['-1', undefined],
  ])('%j is %s a second', (text, perSecond) => expect(parseRate(text)).toBe(perSecond));
  it('what is written is read back exactly', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.double({ min: 0.001, max: 1_000, noNaN: true })),
        (perSecond) => {
          const read = parseRate(rateText(perSecond));
          expect(read).toBeDefined();
          expect(Math.abs((read ?? 0) - perSecond)).toBeLessThanOrEqual(perSecond * 1e-9);
        },
      ),
    );
  });
  test.each<[number, string]>([
    [10, '10/s'],
    [1.5, '90/min'],
    [0.01, '36/h'],
  ])('%s a second is written %j', (perSecond, text) => expect(rateText(perSecond)).toBe(text));
});

test.each<[string, number | undefined]>([
  ['10000', 10_000],
  ['10,000', 10_000],
  ['10 000', 10_000],
  ['1.5', 1.5],
  ['1,5', undefined],
  ['', undefined],
  ['0x10', undefined],
  ['1e6', undefined],
])('%j is the number %s', (text, value) => expect(parseNumber(text)).toBe(value));
