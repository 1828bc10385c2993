import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPatch } from '@/lib/broker/operations/kinds/json-patch';
import { payloadPatch } from './payload-patch';

describe('the patch of an edited payload', () => {
  it.each([
    [
      '{"a":1,"b":[1,2]}',
      '{"a":2,"b":[1,3]}',
      '[{"op":"replace","path":"/a","value":2},{"op":"replace","path":"/b/1","value":3}]',
    ],
    [
      '{"a":1,"x/y":{}}',
      '{"x/y":{"n":null}}',
      '[{"op":"remove","path":"/a"},{"op":"add","path":"/x~1y/n","value":null}]',
    ],
    ['{"a":[1]}', '{"a":[1,2]}', '[{"op":"replace","path":"/a","value":[1,2]}]'],
    ['not json', '{"a":1}', '[{"op":"replace","path":"","value":{"a":1}}]'],
    ['', '[]', '[{"op":"replace","path":"","value":[]}]'],
  ])('of %s into %s changes only what differs', (before, after, steps) => {
    expect(payloadPatch(before, after)).toEqual({ steps: JSON.parse(steps), problem: null });
  });

  it('turns any payload into any other', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'small' }), fc.jsonValue({ depthSize: 'small' }), (from, to) => {
        const [before, after] = [JSON.stringify(from), JSON.stringify(to)];
        const { steps, problem } = payloadPatch(before, after);
        fc.pre(steps.length > 0 || problem === 'Nothing is changed yet.');
        const result = applyPatch(before, steps);
        const text = result.ok ? result.text : result.problem;
        expect(JSON.parse(text)).toEqual(JSON.parse(after));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the digits of long numbers that stay, and refuses new ones', () => {
    const before = '{"id":9007199254740993,"a":1}';
    const { steps } = payloadPatch(before, '{"id":9007199254740993,"a":2}');
    expect(applyPatch(before, steps)).toEqual({ ok: true, text: '{"id":9007199254740993,"a":2}' });
    expect(payloadPatch(before, '{"id":9007199254740992,"a":1}').problem).toContain('rounded');
    expect(payloadPatch(before, '{"a":1,"b":{"id":9007199254740993}}').problem).toContain('rounded');
  });

  it('says where a text is no JSON, and when nothing is changed', () => {
    expect(payloadPatch('{}', '{"a":}').problem).toContain('line 1, character 6');
    expect(payloadPatch('{"a":1}', '{ "a": 1 }').problem).toBe('Nothing is changed yet.');
    expect(payloadPatch('{}', ' ').problem).toContain('Give a payload');
  });

  it('replaces the whole of a payload with many changes, unless it holds hidden values', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, i]));
    expect(payloadPatch('{}', JSON.stringify(many)).steps).toEqual([
      { op: 'replace', path: '', value: many },
    ]);
    const hidden = JSON.stringify({ ...many, password: '[redacted]' });
    expect(payloadPatch('{"password":"[redacted]"}', hidden).problem).toContain('at most 20');
  });
});
