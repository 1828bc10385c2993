import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { asciiLower } from './fold-case';
import { mayLieInMask } from './mask-overlap';
import { redactText } from './redact-text';
import { mentions, redactionOf } from './redaction';
import { HIDE_ALL, MASK, REDACTION_DEFAULT } from './redaction-default';
import { redactionRuleSchema } from './redaction-rule';

const shown = (text: string, ...rules: string[]) => redactText(text, redactionOf(rules)).text;
const M = `"${MASK}"`;

describe('a rule', () => {
  test.each([
    'password',
    '*token*',
    'secret*',
    '*key',
    '/card/number',
    '/items/*/price',
    '/',
    '/a~1b/~0',
    'größe',
  ])('may be %j', (rule) => expect(redactionRuleSchema.parse(` ${rule} `)).toBe(rule));
  test.each([
    '',
    '*',
    '**',
    '-',
    '_*',
    '*-_*',
    'pass*word',
    'a b',
    'a/b',
    '"',
    'a\\',
    '/a~b',
    '/a~2',
    '/a\u0000',
    'x'.repeat(201),
  ])('may not be %j', (rule) => expect(redactionRuleSchema.safeParse(rule).success).toBe(false));
  test('that hides everything by default can be read', () => {
    for (const rule of REDACTION_DEFAULT) expect(redactionRuleSchema.parse(rule)).toBe(rule);
  });
});

describe('a payload', () => {
  test.each([
    [
      'a name at any depth',
      '{"a":[{"Password":1}],"password":{"x":2}}',
      `{"a":[{"Password":${M}}],"password":${M}}`,
      ['password'],
    ],
    [
      'case, - and _ aside',
      '{"api-KEY":1,"Api_Key":2,"apikeys":3}',
      `{"api-KEY":${M},"Api_Key":${M},"apikeys":3}`,
      ['apikey'],
    ],
    ['a name in the middle', '{"x_auth_token_2":1,"tok":2}', `{"x_auth_token_2":${M},"tok":2}`, ['*token*']],
    ['how a name begins', '{"secretive":1,"asecret":2}', `{"secretive":${M},"asecret":2}`, ['secret*']],
    ['how a name ends', '{"myKey":1,"keys":2}', `{"myKey":${M},"keys":2}`, ['*key']],
    ['a name written with escapes', '{"p\\u0061ssword":"x"}', `{"p\\u0061ssword":${M}}`, ['password']],
    [
      'other letters than ASCII',
      '{"GRÖSSE":1,"ΟΔΟΣ":2,"οδος":3}',
      `{"GRÖSSE":${M},"ΟΔΟΣ":${M},"οδος":${M}}`,
      ['grösse', 'οδοσ'],
    ],
    ['every member of a name that is there twice', '{"pin":1,"pin":2}', `{"pin":${M},"pin":${M}}`, ['pin']],
    [
      'one place',
      '{"card":{"number":1,"brand":2},"number":3}',
      `{"card":{"number":${M},"brand":2},"number":3}`,
      ['/card/number'],
    ],
    [
      'the same place of every entry',
      '{"items":[{"price":1},{"price":2,"n":[3]}]}',
      `{"items":[{"price":${M}},{"price":${M},"n":[3]}]}`,
      ['/items/*/price'],
    ],
    ['an entry of a list', '[1,2,[3,4]]', `[1,${M},[3,${M}]]`, ['/1', '/2/1']],
    ['everything at the top', '{"a":1,"b":[2]}', `{"a":${M},"b":${M}}`, ['/*']],
    [
      'a name with a slash in it',
      '{"a/b":{"~":1},"a":{"b":2}}',
      `{"a/b":{"~":${M}},"a":{"b":2}}`,
      ['/a~1b/~0'],
    ],
    ['a name of no letters', '{"":{"":1}}', `{"":{"":${M}}}`, ['//']],
    ['all of it', '{"a":1}', M, [HIDE_ALL]],
    ['all of what is no JSON', 'a=1', M, [HIDE_ALL]],
    ['nothing of what is not there', '{"a":"password"}', '{"a":"password"}', ['password']],
    ['nothing without rules', '{"password":1}', '{"password":1}', []],
    ['nothing of nothing', '', '', [HIDE_ALL, 'password']],
    [
      'all else letter for letter',
      '{ "n" : 9007199254740993 ,\n"e":1.50E+2, "pin" :\t[ {} , "]" ] ,"s":"\\u00e9\\/"}',
      `{ "n" : 9007199254740993 ,\n"e":1.50E+2, "pin" :\t${M} ,"s":"\\u00e9\\/"}`,
      ['pin'],
    ],
    ['strings with brackets and quotes', '{"pin":"\\\\\\"}{","x":[]}', `{"pin":${M},"x":[]}`, ['pin']],
    ['behind a byte order mark', '\ufeff{"pin":1}', `\ufeff{"pin":${M}}`, ['pin']],
    ['not what a string holds', '{"body":"{\\"pin\\":1}"}', '{"body":"{\\"pin\\":1}"}', ['pin']],
  ])('has hidden %s', (_, text, after, rules) => {
    expect(shown(text, ...rules)).toBe(after);
  });

  test.each([
    ['a form', 'user=ann&password=hunter2'],
    ['headers', 'Authorization: Bearer x\r\nHost: y'],
    ['JSON that was cut short', '{"a":1,"api_key":"abc'],
    ['lines of JSON', '{"a":1}\n{"token":"x"}'],
    ['JSON of a kind', "{password:'x'}"],
    ['escapes', '{"p\\u0061ssword":"x"'],
  ])('that is no JSON and may hold something hidden is hidden as a whole: %s', (_, text) => {
    expect(shown(text, ...REDACTION_DEFAULT)).toBe(M);
  });
  test('that is no JSON and names nothing hidden is shown', () => {
    for (const text of ['hello', 'C:\\temp\\x', '{"a":1', 'a=1&b=2'])
      expect(shown(text, ...REDACTION_DEFAULT)).toBe(text);
  });
  test('deeper than anybody writes is hidden as a whole; long is not', () => {
    const deep = `${'['.repeat(5_000)}{"pin":1}${']'.repeat(5_000)}`;
    expect(shown(deep, 'pin')).toBe(M);
    expect(shown(deep, 'other')).toBe(deep);
    const long = `[${'{"a":1},'.repeat(50_000)}{"pin":1}]`;
    expect(shown(long, 'pin')).toBe(long.replace('"pin":1', `"pin":${M}`));
    expect(shown(`{"pin":"${'x'.repeat(1024 * 1024)}"}`, 'pin')).toBe(M);
  });
});

/** A payload, how it is to be shown, and another that differs from it in what is hidden alone. */
interface Case {
  readonly raw: string;
  readonly after: string;
  readonly twin: string;
}
const RULES = ['password', '*token*', 'pre*', '*post', '/card/number', '/list/*/x', '/list/2'];
const NAMES: [name: string, hidden: boolean][] = [
  ['password', true],
  ['PASS_word', true],
  ['my-Token-1', true],
  ['prefix', true],
  ['Com-post', true],
  ['passwords', false],
  ['a', false],
  ['', false],
  ['x"y\\', false],
  ['posts', false],
];
const space = fc.constantFrom('', ' ', '\n', '\t ');
const scalar = fc.oneof(
  fc.constantFrom('9007199254740993', '-0', '1.50e+10', 'true', 'null', '""', '"\\"}"', '"\\\\"'),
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
);
const plain = (text: string): Case => ({ raw: text, after: text, twin: text });
const list = (items: readonly Case[], gap: string): Case => {
  const of = (part: keyof Case) => `[${gap}${items.map((item) => item[part]).join(`${gap},`)}${gap}]`;
  return { raw: of('raw'), after: of('after'), twin: of('twin') };
};
const object = (
  members: readonly { name: string; hidden: boolean; value: Case; other: string; gap: string }[],
): Case => {
  const of = (write: (member: (typeof members)[number]) => string) =>
    `{${members.map((one) => `${one.gap}${JSON.stringify(one.name)}${one.gap}:${one.gap}${write(one)}`).join(',')}}`;
  return {
    raw: of(({ value }) => value.raw),
    after: of(({ hidden, value }) => (hidden ? M : value.after)),
    twin: of(({ hidden, value, other }) => (hidden ? other : value.twin)),
  };
};
const { anything } = fc.letrec<{ anything: Case }>((tie) => ({
  anything: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar.map(plain),
    fc.tuple(fc.array(tie('anything'), { maxLength: 4 }), space).map(([items, gap]) => list(items, gap)),
    fc
      .array(
        fc.record({ name: fc.constantFrom(...NAMES), value: tie('anything'), other: scalar, gap: space }),
        { maxLength: 5 },
      )
      .map((members) =>
        object(members.map(({ name: [name, hidden], ...rest }) => ({ ...rest, name, hidden }))),
      ),
  ),
}));
/** With the places that the path rules name. */
const payload = fc.tuple(anything, anything, anything, scalar, scalar).map(([one, two, three, four, other]) =>
  object([
    { name: 'a', hidden: false, value: one, other, gap: '' },
    {
      name: 'card',
      hidden: false,
      value: object([
        { name: 'number', hidden: true, value: two, other, gap: ' ' },
        { name: 'holder', hidden: false, value: plain(four), other, gap: '' },
      ]),
      other,
      gap: '',
    },
    {
      name: 'list',
      hidden: false,
      value: {
        raw: `[{"x":${one.raw}}, ${four},${three.raw}]`,
        after: `[{"x":${M}}, ${four},${M}]`,
        twin: `[{"x":${other}}, ${four},${other}]`,
      },
      other,
      gap: '',
    },
  ]),
);
const redaction = redactionOf(RULES);

test('what was hidden before is told from a value', () => {
  const text = `{"pin":${M},"a":{"pin":7},"b":${M}}`;
  expect(redactText(text, redactionOf(['pin']))).toMatchObject({ hidden: 2, masked: 1 });
  expect(redactText(M, redactionOf([HIDE_ALL]))).toMatchObject({ hidden: 1, masked: 1 });
});

describe('any payload', () => {
  it('loses what is hidden and nothing else, letter for letter', () => {
    fc.assert(
      fc.property(payload, ({ raw, after, twin }) => {
        expect(redactText(raw, redaction).text).toBe(after);
        // What differs in hidden values alone is the same to whoever looks.
        expect(redactText(twin, redaction).text).toBe(after);
        expect(redactText(after, redaction).text).toBe(after);
        JSON.parse(after);
      }),
      { numRuns: 500 },
    );
  });

  it('that mentions no rule and has no backslash is the same for all rules', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.json(), fc.string()),
        fc.subarray([...REDACTION_DEFAULT, ...RULES]),
        (text, rules) => {
          const some = redactionOf(rules);
          if (!mentions(some, text) && !text.includes('\\'))
            expect(redactText(text, some)).toEqual({ text, hidden: 0, masked: 0 });
        },
      ),
    );
  });

  it('gives a text search nothing that the stored one does not have, but for what stands for a hidden value', () => {
    const piece = fc.tuple(payload, fc.nat(), fc.integer({ min: 1, max: 14 })).map(([one, at, length]) => {
      const from = at % one.after.length;
      return { ...one, wanted: one.after.slice(from, from + length) };
    });
    fc.assert(
      fc.property(piece, ({ raw, wanted }) => {
        if (!asciiLower(raw).includes(asciiLower(wanted))) expect(mayLieInMask(wanted)).toBe(true);
      }),
      { numRuns: 500 },
    );
    for (const word of ['order', 'timeout', '42', 'größe', '7]', ':{'])
      expect(mayLieInMask(word)).toBe(false);
    for (const word of ['', '[redacted]', 'RED', '"pin":"', '"pin":"[re', '"', 'd]",', 'acted]"}'])
      expect(mayLieInMask(word)).toBe(true);
  });

  it('makes no text fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { text: after } = redactText(`"password":${text}`, redaction);
        if (after !== M) expect(after).not.toContain(text);
      }),
    );
  });
});
