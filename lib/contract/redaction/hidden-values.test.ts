/** What repeats a hidden value is replaced, and a sentence that only has a short value's letters in a word stays one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenValuesOf, jsonWithoutHiddenValues, withoutHiddenValues } from './hidden-values';
import { MASK_TEXT } from './redact-text';
import { redactionOf } from './redaction';
import { HIDE_ALL, MASK, REDACTION_DEFAULT } from './redaction-default';

const redaction = redactionOf([...REDACTION_DEFAULT, 'pin', 'flag']);
const shown = (payload: string, text: string, rules = redaction) =>
  withoutHiddenValues(text, hiddenValuesOf(payload, rules));

describe('M3: a text about a job', () => {
  it.each([
    ['a text', '{"password":"hunter2"}', 'login of hunter2 failed', 'login of [redacted] failed'],
    [
      'it whatever its case',
      '{"password":"hunter2"}',
      'login of HUNTER2 failed',
      'login of [redacted] failed',
    ],
    ['it in quotes', '{"password":"hunter2"}', `got 'hunter2'`, `got '[redacted]'`],
    ['it as JSON writes it', '{"password":"a\\"b c"}', 'got {"p":"a\\"b c"}', 'got {"p":"[redacted]"}'],
    ['it as a link writes it', '{"token":"a b/c"}', 'GET /x?t=a%20b%2Fc', 'GET /x?t=[redacted]'],
    ['digits', '{"cvv":123}', 'cvv 123 refused', 'cvv [redacted] refused'],
    ['long digits', '{"cardnumber":9007199254740993}', 'no 9007199254740993.', 'no [redacted].'],
    ['digits as a double', '{"cardnumber":9007199254740993}', 'no 9007199254740992.', 'no [redacted].'],
    ['what is deep inside', '{"secrets":[{"a":["swordfish"]}]}', 'bad swordfish', 'bad [redacted]'],
    ['a part of it', '{"token":"eyJhbGciOiJIUzI1NiJ9"}', 'near "hbGciOiJI"', 'near "[redacted]"'],
    ['it where it stands twice', '{"pin":"4711"}', '4711, 4711', '[redacted], [redacted]'],
    ['a form', 'token=s3cr3t&user=ann', 'bad s3cr3t', 'bad [redacted]'],
    ['a form, decoded', 'token=s%20cr3t&user=ann', 'bad "s cr3t"', 'bad "[redacted]"'],
    ['JSON that was cut short', '{"password":"hunter2', 'bad hunter2', 'bad [redacted]'],
    [
      'what a parser quotes',
      '{"password":"hunter2","a":b}',
      `Unexpected token 'b', ..."ter2","a":b}" is not valid JSON`,
      `Unexpected token 'b', [redacted] is not valid JSON`,
    ],
  ])('loses %s', (_, payload, text, after) => {
    expect(shown(payload, text)).toBe(after);
  });

  it.each([
    ['a value of two letters', '{"pin":"ok"}', 'ok: not ok'],
    ['a value of one digit', '{"pin":1}', '1 of 1'],
    ['a word that has a short value inside', '{"password":"test"}', 'contest of testers'],
    ['true, false and null', '{"flag":true,"pin":null}', 'true is not null'],
    ['a value that is not hidden', '{"user":"ann","pin":"4711"}', 'no user ann'],
    ['names of members', '{"secrets":{"type":"x"}}', 'type is wrong'],
    ['the names of a form', 'token=s3cr3t', 'no token'],
    ['everything, without rules', '{"password":"hunter2"}', 'hunter2', []],
  ])('keeps %s', (_, payload, text, rules?: string[]) => {
    expect(shown(payload, text, rules ? redactionOf(rules) : redaction)).toBe(text);
  });

  it('is hidden as a whole where there is too much to look for', () => {
    const many = JSON.stringify({ secrets: Array.from({ length: 600 }, (_, i) => `a ${i}`) });
    expect(shown(many, 'anything')).toBe(MASK);
  });

  it('that is JSON stays JSON', () => {
    const values = hiddenValuesOf('{"password":"hunter2\\n!","cardnumber":4111111111111111}', redaction);
    expect(jsonWithoutHiddenValues('{"said":"hunter2\\n!","n":[4111111111111111,7]}', values)).toBe(
      `{"said":"${MASK}","n":[${MASK_TEXT},7]}`,
    );
  });

  it.each([
    ['passwörd-of-ann', 'Login with PASSWÖRD-OF-ANN failed'],
    ['Geheimnisſe', 'geheimnisse'],
    ['istanbul', 'İSTANBUL'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['größe7', 'wrong GRÖßE7.'],
  ])('%s is found in whatever case it is said: %s', (value, said) => {
    expect(shown(JSON.stringify({ password: value }), said)).toContain(MASK);
    expect(shown(JSON.stringify({ 'PASSWORT-ſECRET': value }), said)).toContain(MASK);
  });

  it('has none of eight letters in a row of what is hidden, whatever both are', () => {
    const secret = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 });
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), fc.boolean(), (value, before, after, whole) => {
        const text = shown(
          JSON.stringify({ password: value }),
          `${before} ${value} ${after}`,
          whole ? redactionOf([HIDE_ALL]) : redaction,
        );
        const trimmed = value.trim().toLowerCase();
        if (trimmed.length >= 8) expect(text.toLowerCase()).not.toContain(trimmed);
      }),
      { numRuns: 1_000 },
    );
  });

  it('and a payload may be long: both together cost what each does', () => {
    const payload = JSON.stringify({ secrets: Array.from({ length: 4_000 }, (_, i) => `value-${i}-aaaa`) });
    const text = 'a'.repeat(4_000);
    const from = performance.now();
    for (let i = 0; i < 10; i += 1) shown(payload, text);
    expect((performance.now() - from) / 10).toBeLessThan(200);
  });
});
