import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filters, jobFacts, queryTexts } from '@/testing/model/random-queries';
import {
  matches,
  normalise,
  parseQuery,
  printQuery,
  pushNotDown,
  queryFromUrl,
  queryToUrl,
  sameFilter,
} from '.';
import { QUERY_MAX_CHARS } from './filter';

const NOW = 1_000_000_000;
const parsed = (text: string) => {
  const result = parseQuery(text);
  if (!result.ok) throw new Error(`${JSON.stringify(text)}: ${result.error.message}`);
  return result.filter;
};

describe('text and filter', () => {
  it('a filter printed and parsed is that filter in normal form', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(parsed(printQuery(filter))).toEqual(normalise(filter));
      }),
      { numRuns: 3_000 },
    );
  });

  it('text parsed and printed is no longer, says the same, and stays as it is', () => {
    fc.assert(
      fc.property(queryTexts, (text) => {
        const first = parseQuery(text);
        if (!first.ok) return;
        const printed = printQuery(first.filter);
        expect(printed.length).toBeLessThanOrEqual(text.length);
        expect(parsed(printed)).toEqual(first.filter);
        expect(printQuery(parsed(printed))).toBe(printed);
      }),
      { numRuns: 5_000 },
    );
  });

  it('goes through a link unharmed, and leaves the rest of the link alone', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        const text = printQuery(filter);
        const link = queryToUrl(text, '?state=dead&q=old&q=older');
        expect(queryFromUrl(link)).toBe(text);
        expect(new URL(link, 'http://x/').searchParams.get('state')).toBe('dead');
      }),
    );
    expect(queryToUrl('', '?q=a')).toBe('');
    expect(queryToUrl('', 'a=b')).toBe('?a=b');
  });

  it('any text goes through a link, malformed ones are read as far as they can be', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(queryFromUrl(queryToUrl(text))).toBe(text);
      }),
    );
    expect(queryFromUrl('?q=%zz%')).toBe('%zz%');
    expect(queryFromUrl('?other=1')).toBe('');
  });

  it('a normal form is its own, and a filter means the same in it and with its NOTs pushed down', () => {
    fc.assert(
      fc.property(filters, jobFacts, (filter, facts) => {
        const normal = normalise(filter);
        expect(normalise(normal)).toEqual(normal);
        expect(sameFilter(filter, normal)).toBe(true);
        const answer = matches(filter, facts, NOW);
        expect(matches(normal, facts, NOW)).toBe(answer);
        expect(matches(pushNotDown(filter), facts, NOW)).toBe(answer);
        expect(matches(pushNotDown({ kind: 'not', of: filter }), facts, NOW)).toBe(!answer);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('any text at all', () => {
  it('is parsed or refused with a place in it and a sentence; nothing is thrown', () => {
    fc.assert(
      fc.property(queryTexts, (text) => {
        const result = parseQuery(text);
        if (result.ok) return;
        const { position, length, message } = result.error;
        expect(position).toBeGreaterThanOrEqual(0);
        expect(length).toBeGreaterThan(0);
        expect(position + length).toBeLessThanOrEqual(Math.max(text.length, 1));
        expect(message).toMatch(/^[A-Z"“<>=A-Za-z(].*\.$/s);
      }),
      { numRuns: 5_000 },
    );
  });

  it('a suggestion put in its place is never met by the same complaint there', () => {
    fc.assert(
      fc.property(queryTexts, (text) => {
        const first = parseQuery(text);
        if (first.ok || first.error.suggestion === null) return;
        const { position, length, suggestion, message } = first.error;
        const second = parseQuery(text.slice(0, position) + suggestion + text.slice(position + length));
        if (!second.ok && second.error.position === position && suggestion !== '')
          expect(second.error.message).not.toBe(message);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    '(',
    ')',
    '"',
    '-',
    'a:',
    '"\\',
    'NOT ',
    'type:(',
    'payload.',
    'payload."',
    '*',
    'a*',
    '((a) OR ',
    'x OR ',
    '“',
    'or ',
    'age:1h..',
    '\\',
  ])('%s over and over, to the last letter that is allowed', (piece) => {
    const text = piece.repeat(QUERY_MAX_CHARS).slice(0, QUERY_MAX_CHARS);
    // A parser that took its time by the square of the letters would not get through this before the runner gives up.
    for (let i = 0; i < 200; i += 1) expect(parseQuery(text).ok).toBe(piece === '\\');
  });
});
