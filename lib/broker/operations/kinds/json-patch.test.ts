/** A patch changes what it names and nothing else, down to the letter. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PatchStep, patchStepSchema } from '@/lib/contract/operations/operation-request';
import { applyPatch, PAYLOAD_MAX_DEPTH } from './json-patch';

const patched = (payload: string, ...patch: PatchStep[]) => {
  const result = applyPatch(payload, patch);
  return result.ok ? result.text : result.problem;
};

describe('a patch', () => {
  it.each<[what: string, payload: string, patch: PatchStep[], text: string]>([
    ['replaces', '{"a":1,"b":2}', [{ op: 'replace', path: '/a', value: 'x' }], '{"a":"x","b":2}'],
    [
      'adds at the end',
      '{"a":1}',
      [{ op: 'add', path: '/b', value: [true, null] }],
      '{"a":1,"b":[true,null]}',
    ],
    ['adds over what is there', '{"a":1,"b":2}', [{ op: 'add', path: '/a', value: 3 }], '{"a":3,"b":2}'],
    ['removes', '{"a":1,"b":2}', [{ op: 'remove', path: '/a' }], '{"b":2}'],
    ['removes the last member', '{"a":1}', [{ op: 'remove', path: '/a' }], '{}'],
    ['inserts into a list', '[1,2]', [{ op: 'add', path: '/1', value: 9 }], '[1,9,2]'],
    ['inserts behind the last', '[1,2]', [{ op: 'add', path: '/2', value: 9 }], '[1,2,9]'],
    ['appends', '[[]]', [{ op: 'add', path: '/0/-', value: {} }], '[[{}]]'],
    ['removes from a list', '[1,2,3]', [{ op: 'remove', path: '/1' }], '[1,3]'],
    ['replaces in a list', '[1,2,3]', [{ op: 'replace', path: '/2', value: null }], '[1,2,null]'],
    ['repairs what is no JSON', '{"a":', [{ op: 'replace', path: '', value: { a: 1 } }], '{"a":1}'],
    ['replaces all', '7', [{ op: 'replace', path: '', value: { a: 1 } }], '{"a":1}'],
    [
      'knows ~1 and ~0',
      '{"a/b":{"~1":1}}',
      [{ op: 'replace', path: '/a~1b/~01', value: 2 }],
      '{"a/b":{"~1":2}}',
    ],
    ['knows the empty name', '{"":{"":1}}', [{ op: 'replace', path: '//', value: 2 }], '{"":{"":2}}'],
    [
      'goes step by step',
      '{}',
      [
        { op: 'add', path: '/a', value: {} },
        { op: 'add', path: '/a/b', value: 1 },
      ],
      '{"a":{"b":1}}',
    ],
    ['reads escaped names', '{"\\u0061":1}', [{ op: 'replace', path: '/a', value: 2 }], '{"\\u0061":2}'],
  ])('%s', (_, payload, patch, text) => {
    expect(applyPatch(payload, patch)).toEqual({ ok: true, text });
  });

  it('leaves every letter of what it does not name', () => {
    const untouched = '{ "big": 9007199254740993123, "float": 1.0, "e": 1E+2, "text": "\\u00e9\\/" }';
    expect(patched(`{"keep":${untouched} , "x" : 1}`, { op: 'replace', path: '/x', value: 2 })).toBe(
      `{"keep":${untouched},"x":2}`,
    );
    expect(patched(` ${untouched} `, { op: 'test', path: '/float', value: 1 })).toBe(untouched);
  });

  it('takes names such as __proto__ for names', () => {
    expect(patched('{"a":1}', { op: 'add', path: '/__proto__', value: { isAdmin: true } })).toBe(
      '{"a":1,"__proto__":{"isAdmin":true}}',
    );
    expect(patched('{"a":1}', { op: 'remove', path: '/constructor' })).toContain('no member "constructor"');
    expect(patched('{"__proto__":1}', { op: 'replace', path: '/__proto__', value: 2 })).toBe(
      '{"__proto__":2}',
    );
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });

  it('of members of one name means the last, and removes them all', () => {
    expect(patched('{"a":1,"a":2}', { op: 'test', path: '/a', value: 2 })).toBe('{"a":1,"a":2}');
    expect(patched('{"a":1,"b":0,"a":2}', { op: 'remove', path: '/a' })).toBe('{"b":0}');
    expect(patched('{"a":1,"a":2}', { op: 'replace', path: '/a', value: 3 })).toBe('{"a":1,"a":3}');
  });

  it.each<[payload: string, step: PatchStep]>([
    ['1.0', { op: 'test', path: '', value: 1 }],
    ['10e-1', { op: 'test', path: '', value: 1 }],
    ['-0', { op: 'test', path: '', value: 0 }],
    ['"\\u0041"', { op: 'test', path: '', value: 'A' }],
    ['{"b":[1,{}],"a":null}', { op: 'test', path: '', value: { a: null, b: [1, {}] } }],
  ])('a test of %s passes', (payload, step) => {
    expect(applyPatch(payload, [step])).toEqual({ ok: true, text: payload });
  });

  it.each<[payload: string, step: PatchStep, why: string]>([
    ['9007199254740993', { op: 'test', path: '', value: 9007199254740992 }, 'another value'],
    ['"1"', { op: 'test', path: '', value: 1 }, 'another value'],
    ['{"a":1}', { op: 'test', path: '', value: { a: 1, b: 2 } }, 'another value'],
    ['{"a":1}', { op: 'test', path: '/b', value: null }, 'no member "b"'],
    ['[1]', { op: 'test', path: '', value: { '0': 1 } }, 'another value'],
    ['{}', { op: 'replace', path: '/a', value: 1 }, 'no member "a"'],
    ['{}', { op: 'add', path: '/a/b', value: 1 }, 'no member "a"'],
    ['{"a":1}', { op: 'add', path: '/a/b', value: 1 }, '"a" is neither an object nor a list'],
    ['[1]', { op: 'add', path: '/2', value: 1 }, 'no item 2'],
    ['[1]', { op: 'remove', path: '/-' }, 'not an index of a list'],
    ['[1]', { op: 'remove', path: '/00' }, 'not an index of a list'],
    ['[1]', { op: 'remove', path: '/-1' }, 'not an index of a list'],
    ['{}', { op: 'remove', path: '' }, 'cannot be removed'],
    ['{}', { op: 'add', path: 'a', value: 1 }, 'begins with "/"'],
    ['{}', { op: 'add', path: '/~2', value: 1 }, '"~0"'],
    ['{}', { op: 'add', path: '/a', value: { deep: [2 ** 60] } }, 'more digits'],
    ['{', { op: 'add', path: '/a', value: 1 }, 'not JSON'],
    ['', { op: 'add', path: '/a', value: 1 }, 'not JSON'],
    ['{}x', { op: 'add', path: '/a', value: 1 }, 'not JSON'],
    [
      '['.repeat(60_000) + ']'.repeat(60_000),
      { op: 'test', path: '', value: 1 },
      `deeper than ${PAYLOAD_MAX_DEPTH}`,
    ],
  ])('of %.20s: %j does not fit', (payload, step, why) => {
    const result = applyPatch(payload, [step]);
    expect(result).toMatchObject({ ok: false, problem: expect.stringContaining(why) });
  });

  it('whose last step does not fit changes nothing and says which it was', () => {
    expect(patched('{"a":1}', { op: 'add', path: '/b', value: 1 }, { op: 'remove', path: '/c' })).toMatch(
      /^Step 2 \(remove "\/c"\)/,
    );
  });

  it('reads a text of 64 KiB, whatever it holds, in no time to speak of', () => {
    const payload = JSON.stringify({ long: '"\\'.repeat(15_000), n: 1 });
    expect(patched(payload, { op: 'replace', path: '/n', value: 2 })).toBe(payload.replace('"n":1', '"n":2'));
  });

  it('gives what the same changes to the parsed value give', () => {
    // A member __proto__ is refused before a patch is one.
    const value = fc
      .jsonValue({ maxDepth: 2 })
      .filter((made) => patchStepSchema.safeParse({ op: 'add', path: '/a', value: made }).success);
    const step = fc.record({ key: fc.string(), value });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(step), (object, steps) => {
        const expected = new Map<string, unknown>(Object.entries(JSON.parse(JSON.stringify(object))));
        const patch = steps.map(({ key, value }) => {
          const path = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
          const had = expected.delete(key);
          if (had && value === null) return { op: 'remove', path };
          expected.set(key, JSON.parse(JSON.stringify(value)));
          return { op: 'add', path, value };
        });
        const result = applyPatch(
          JSON.stringify(object),
          patch.map((one) => patchStepSchema.parse(one)),
        );
        if (!result.ok) return result.problem.includes('digits');
        expect(new Map(Object.entries(JSON.parse(result.text)))).toEqual(expected);
        return true;
      }),
    );
  });
});
