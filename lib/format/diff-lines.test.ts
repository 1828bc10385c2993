import { describe, expect, it } from 'vitest';
import { diffLines, jsonLines } from './diff-lines';

const shown = (before: string, after: string) =>
  diffLines(before, after).map(
    ({ kind, text }) => `${{ same: ' ', out: '-', in: '+', gap: '~' }[kind]}${text}`,
  );

describe('diffs of payloads', () => {
  it.each(['{}', '[]', '[[],{}]', '{"a":{"b":[1,2,{"c":"x,y:{z}"}]},"d":"\\"}"}', '[1,"a\\\\"]'])(
    'sets %s on lines that are the same JSON',
    (text) => expect(JSON.parse(jsonLines(text).join('\n'))).toEqual(JSON.parse(text)),
  );
  it('lays it out as one would', () => {
    expect(jsonLines('{"a":[1,{}],"b":"x"}')).toEqual([
      '{',
      '  "a": [',
      '    1,',
      '    {}',
      '  ],',
      '  "b": "x"',
      '}',
    ]);
  });
  it('keeps digits JavaScript cannot hold, and text that is no JSON', () => {
    expect(jsonLines('[9007199254740993]').join('')).toContain('9007199254740993');
    expect(jsonLines('plain, text: {')).toEqual(['plain, text: {']);
  });
  it('shows what goes and what comes', () => {
    expect(shown('{"a":1,"b":2}', '{"a":1,"b":3}')).toEqual([
      ' {',
      '   "a": 1,',
      '-  "b": 2',
      '+  "b": 3',
      ' }',
    ]);
  });
  it('leaves out what is far from a change', () => {
    const many = (last: number) => JSON.stringify([...Array.from({ length: 50 }, (_, i) => i), last]);
    const diff = shown(many(1), many(2));
    expect(diff.slice(0, 3)).toEqual(['~…', '   48,', '   49,']);
    expect(diff).toContain('-  1');
    expect(diff).toContain('+  2');
    expect(diff).toHaveLength(6);
  });
  it('is quick on texts that share nothing', () => {
    const far = (n: number) => JSON.stringify(Array.from({ length: 20_000 }, (_, i) => i * n));
    expect(diffLines(far(3), far(7)).length).toBeGreaterThan(20_000);
  });
  it('says nothing changed with a gap only', () => expect(shown('[1]', '[1]')).toEqual(['~…']));
});
