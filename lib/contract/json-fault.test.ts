/** Where a text stops being JSON: the place is named, and nothing of the text is quoted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJson, jsonFault } from './json-fault';

describe('M3: a text that is no JSON', () => {
  it.each([
    ['token=s3cr3t', 'it goes wrong at line 1, character 1'],
    ['{"password":"hunter2"x}', 'it goes wrong at line 1, character 22'],
    ['{"a":\n 1 2}', 'it goes wrong at line 2, character 4'],
    ['{"a":1,}', 'it goes wrong at line 1, character 8'],
    ['[1,]', 'it goes wrong at line 1, character 4'],
    ['[1] 2', 'it goes wrong at line 1, character 5'],
    ['"a\tb"', 'it goes wrong at line 1, character 3'],
    [`"${'x'.repeat(5_000)}\\q"`, 'it goes wrong at line 1, character 5002'],
    ['01', 'it goes wrong at line 1, character 2'],
    ['{"a":{"b":[', 'it ends too early'],
    ['"open', 'it ends too early'],
    ['', 'it is empty'],
  ])('is said to go wrong where it does: %#', (text, words) => {
    expect(jsonFault(text)).toBe(words);
  });

  it('goes wrong where no JSON could go on, and not before', () => {
    const cut = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', 'x', '}', ']', '"', ',', ':', '\u0000', '0'),
    );
    fc.assert(
      fc.property(cut, ([json, at, extra]) => {
        const from = at % (json.length + 1);
        const text = json.slice(0, from) + extra + json.slice(from);
        if (isJson(text)) return;
        const place = /line (\d+), character (\d+)$/.exec(jsonFault(text));
        const fault = place
          ? text
              .split('\n')
              .slice(0, Number(place[1]) - 1)
              .join('\n').length +
            (place[1] === '1' ? 0 : 1) +
            Number(place[2]) -
            1
          : text.length;
        // What stands before the inserted letter is how a JSON begins; a word and an escape are wrong from their first letter on.
        expect(fault).toBeGreaterThan(from - 6);
        expect(fault).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2_000 },
    );
  });
});
