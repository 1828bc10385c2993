import { describe, expect, it } from 'vitest';
import { compactNumber, fullNumber, percent, percentOf, rate, signedNumber } from './number';

describe('full', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [1234567, '1,234,567'],
    [-1234, '-1,234'],
    [9007199254740993n, '9,007,199,254,740,993'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
    [null, '–'],
    [undefined, '–'],
  ])('%s → %s', (n, text) => expect(fullNumber(n)).toBe(text));
});

describe('compact', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [-0.01, '0'],
    [7, '7'],
    [9999, '9,999'],
    [9999.5, '10k'],
    [10_000, '10k'],
    [12_345, '12.3k'],
    [999_499, '999k'],
    [999_950, '1M'],
    [1_234_567, '1.23M'],
    [-45_678, '-45.7k'],
    [7_000_000_000, '7B'],
    [10n ** 18n, '1E'],
    [1e30, '1.00e+12E'],
    [Number.NaN, '–'],
    [Number.NEGATIVE_INFINITY, '–'],
    [null, '–'],
  ])('%s → %s', (n, text) => expect(compactNumber(n)).toBe(text));
});

describe('percent', () => {
  it.each([
    [0, '0%'],
    [0.00001, '<0.1%'],
    [0.123456, '12.3%'],
    [0.9996, '>99.9%'],
    [1, '100%'],
    [1.5, '150%'],
    [-0.2, '-20%'],
    [Number.NaN, '–'],
    [null, '–'],
  ])('%s → %s', (n, text) => expect(percent(n)).toBe(text));
  it('has no answer for a part of nothing', () => {
    expect(percentOf(0, 0)).toBe('–');
    expect(percentOf(1, 3)).toBe('33.3%');
    expect(percentOf(null, 3)).toBe('–');
  });
});

describe('rate', () => {
  it.each([
    [0, '0/s'],
    [0.001, '<0.01/s'],
    [0.25, '0.25/s'],
    [0.999, '1/s'],
    [12.34, '12.3/s'],
    [99.96, '100/s'],
    [1240, '1,240/s'],
    [12_340, '12.3k/s'],
    [-3.2, '-3.2/s'],
    [Number.NaN, '–'],
  ])('%s → %s', (n, text) => expect(rate(n)).toBe(text));
});

it('signs a change', () => {
  expect([
    signedNumber(0),
    signedNumber(3),
    signedNumber(-3),
    signedNumber(12_400),
    signedNumber(Number.NaN),
  ]).toEqual(['0', '+3', '-3', '+12.4k', '–']);
});
