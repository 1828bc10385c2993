import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryTexts } from '@/testing/model/random-queries';
import {
  hasTerm,
  parseQueryOrThrow,
  printQuery,
  termsOf,
  toggleTerm,
  tokenAt,
  withoutTerm,
  withTerm,
} from '.';

/** The caret stands at the bar. */
const typing = (marked: string) => {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { from, to, ...rest } = tokenAt(text, caret);
  return { ...rest, letters: text.slice(from, to) };
};

describe('what is being typed', () => {
  it.each([
    ['|', { kind: 'field', prefix: '', letters: '' }],
    ['ty|', { kind: 'field', prefix: 'ty', letters: 'ty' }],
    ['ty|pe:a', { kind: 'field', prefix: 'ty', letters: 'type:' }],
    ['a -ty|', { kind: 'field', prefix: 'ty', letters: 'ty' }],
    ['a (|', { kind: 'field', prefix: '', letters: '' }],
    ['a OR|', { kind: 'field', prefix: 'OR', letters: 'OR' }],
    ['a |', { kind: 'field', prefix: '', letters: '' }],
    ['type:|', { kind: 'value', field: 'type', compare: null, prefix: '', letters: '' }],
    [
      'type:inv|oice.x b',
      { kind: 'value', field: 'type', compare: null, prefix: 'inv', letters: 'invoice.x' },
    ],
    [
      'type:"inv|oice" b',
      { kind: 'value', field: 'type', compare: null, prefix: 'inv', letters: '"invoice"' },
    ],
    ['type:"inv|', { kind: 'value', field: 'type', compare: null, prefix: 'inv', letters: '"inv' }],
    ['type:(a OR b|', { kind: 'value', field: 'type', compare: null, prefix: 'b', letters: 'b' }],
    ['type:(a OR |)', { kind: 'value', field: 'type', compare: null, prefix: '', letters: '' }],
    ['type:(|', { kind: 'value', field: 'type', compare: null, prefix: '', letters: '' }],
    ['type:(a OR b) |', { kind: 'field', prefix: '', letters: '' }],
    ['type:a |', { kind: 'field', prefix: '', letters: '' }],
    ['age:>1|h', { kind: 'value', field: 'age', compare: '>', prefix: '1', letters: '1h' }],
    ['payload.|', { kind: 'path', path: [], prefix: '', letters: '' }],
    ['payload.ord|er.id:4', { kind: 'path', path: [], prefix: 'ord', letters: 'order' }],
    ['payload.order.i|', { kind: 'path', path: ['order'], prefix: 'i', letters: 'i' }],
    ['payload."odd k|', { kind: 'path', path: [], prefix: 'odd k', letters: '"odd k' }],
    ['payload."odd key".|', { kind: 'path', path: ['odd key'], prefix: '', letters: '' }],
    [
      'payload.order.id:4|',
      { kind: 'payload', path: ['order', 'id'], compare: null, prefix: '4', letters: '4' },
    ],
    [
      'payload.order.id:>|',
      { kind: 'payload', path: ['order', 'id'], compare: '>', prefix: '', letters: '' },
    ],
    ['"free te|xt"', { kind: 'text', prefix: 'free te', letters: '"free text"' }],
    ['"free text"|', { kind: 'text', prefix: 'free text', letters: '"free text"' }],
    ['bogus) type:a|', { kind: 'value', field: 'type', compare: null, prefix: 'a', letters: 'a' }],
  ])('%s', (marked, expected) => {
    expect(typing(marked)).toEqual(expected);
  });

  it('is found in any text, and names letters that are there', () => {
    fc.assert(
      fc.property(queryTexts, fc.integer({ min: -2, max: 80 }), (text, caret) => {
        const { from, to } = tokenAt(text, caret);
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeGreaterThanOrEqual(from);
        expect(to).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('terms', () => {
  const q = parseQueryOrThrow;
  it('are what an AND joins at the top, ranges as one', () => {
    expect(termsOf(q('')).map(({ text }) => text)).toEqual([]);
    expect(termsOf(q('type:a (b OR c) attempts:1..3 -d')).map(({ text }) => text)).toEqual([
      'type:a',
      '(b OR c)',
      'attempts:1..3',
      '-d',
    ]);
    expect(termsOf(q('a OR b')).map(({ text }) => text)).toEqual(['a OR b']);
    for (const term of termsOf(q('type:a attempts:1..3'))) expect(q(term.text)).toEqual(term.filter);
  });

  it('are added, taken away and switched', () => {
    const text = (filter: Parameters<typeof printQuery>[0]) => printQuery(filter);
    expect(text(withTerm(q(''), q('type:a')))).toBe('type:a');
    expect(text(withTerm(q('a OR b'), q('type:a')))).toBe('(a OR b) type:a');
    expect(text(withTerm(q('type:a'), q('type:a')))).toBe('type:a');
    expect(text(withoutTerm(q('type:a age:>5m age:<=1h'), q('age:>5m age:<=1h')))).toBe('type:a');
    expect(text(withoutTerm(q('type:a'), q('type:a')))).toBe('');
    expect(text(withoutTerm(q('type:a OR b'), q('type:a')))).toBe('type:a OR b');
    expect(text(toggleTerm(q('x attempts:1..3'), q('attempts:1..3')))).toBe('x');
    expect(text(toggleTerm(q('x'), q('attempts:1..3')))).toBe('x attempts:1..3');
    expect(hasTerm(q('type:a b'), q('type:a'))).toBe(true);
    expect(hasTerm(q('type:a OR b'), q('type:a'))).toBe(false);
  });
});
