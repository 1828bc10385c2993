/** The grammar of docs/search.md and the parser accept the same texts: none reads what the other refuses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queriesOf, takeApart } from '@/testing/model/query-grammar';
import { filterKey, normalise, parseQuery, printQuery } from '.';

const RUNS = Number(process.env.RUNS ?? 400);
const queries = queriesOf();

/** What the page says beside the grammar: at most five levels, and whole numbers up to 2^53. */
const isBeside = (text: string) =>
  depthOf(text) > 5 || /[0-9]{8}/.test(text) || /[eE][+-]?[0-9]{4}/.test(text) || !text.isWellFormed();
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const char of text) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

describe('F4: a query of the grammar', () => {
  it('is read, and printed and read again means the same', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(queries, (text) => {
        if (depthOf(text) > 5) return;
        const parsed = parseQuery(text);
        if (!parsed.ok) throw new Error(`${JSON.stringify(text)}: ${parsed.error.message}`);
        const printed = printQuery(parsed.filter);
        expect(takeApart(printed), printed).not.toBeNull();
        const again = parseQuery(printed);
        expect(again.ok && filterKey(again.filter)).toBe(filterKey(normalise(parsed.filter)));
      }),
      { numRuns: RUNS },
    );
  });

  it('that is changed by a letter is read where the grammar has it, and refused where it has not', {
    timeout: 60_000,
  }, () => {
    const letter = fc.constantFrom(
      ...'()":*-.=<>\\ \nOR1a“',
      '..',
      ' OR ',
      'AND',
      'NOT ',
      'payload.',
      '1..',
      'type:',
      '> ',
    );
    const changed = fc.tuple(queries, fc.nat(), fc.nat(3), letter).map(([text, at, gone, put]) => {
      const from = at % (text.length + 1);
      return text.slice(0, from) + put + text.slice(from + gone);
    });
    let refused = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          changed,
          fc.array(letter, { maxLength: 8 }).map((some) => some.join('')),
        ),
        (text) => {
          if (isBeside(text)) return;
          const parsed = parseQuery(text);
          expect({ text, isQuery: parsed.ok }).toEqual({ text, isQuery: takeApart(text) !== null });
          if (parsed.ok) return;
          refused += 1;
          expect(parsed.error.message).toMatch(/^["A-Za-z<>].{8,}[.]$/s);
          expect(parsed.error.position + parsed.error.length).toBeLessThanOrEqual(text.length);
        },
      ),
      { numRuns: 5 * RUNS },
    );
    expect(refused).toBeGreaterThan(RUNS / 4);
  });
});

describe('F4: a range', () => {
  it.each([
    ['payload.total:1..', '>=1'],
    ['payload.total:..42', '<=42'],
    ['payload.total:42..1', '1..42'],
    ['payload.total:=1..42', '1..42'],
    ['payload.total:..', '".."'],
    ['payload.total:a..b', '"a..b"'],
    ['payload.total:1..42*', '"1..42"*'],
    ['payload.total:1..2..3', '"1..2..3"'],
    ['attempts:3..', '>=3'],
    ['attempts:..3', '<=3'],
    ['attempts:5..3', '3..5'],
    ['attempts:"3..5"', null],
    ['attempts:1.5..3', null],
    ['age:1h..', '>=1h'],
    ['age:2h..1h', '1h..2h'],
    ['type:a..b', '"a..b"'],
    ['queue:a..b*', '"a..b"*'],
    ['key:1..2', '"1..2"'],
    ['class:a..b', '"a..b"'],
    ['payload.when:2026-02-30..2026-03-01', '"2026-02-30..2026-03-01"'],
  ])('that cannot mean anything is refused with what may: %s', (text, suggestion) => {
    const parsed = parseQuery(text);
    expect(parsed).toMatchObject({ ok: false, error: { suggestion } });
    if (suggestion === null || text.startsWith('class')) return;
    expect(parseQuery(text.slice(0, text.indexOf(':') + 1) + suggestion)).toMatchObject({ ok: true });
  });

  it('of payload values is one condition, of one number in a list', () => {
    expect(parseQuery('payload.total:1..42')).toEqual({
      ok: true,
      filter: { kind: 'payload', path: ['total'], compare: '>=', value: '1', prefix: false, upTo: '42' },
    });
    expect(parseQuery('payload.total:"1..42"')).toMatchObject({
      ok: true,
      filter: { compare: '=', value: '1..42' },
    });
  });
});
