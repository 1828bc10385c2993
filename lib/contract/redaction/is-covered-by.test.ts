import { describe, expect, test } from 'vitest';
import { isCoveredBy } from './is-covered-by';
import { redactText } from './redact-text';
import { redactionOf } from './redaction';
import { HIDE_ALL, REDACTION_DEFAULT } from './redaction-default';

const covered = (one: readonly string[], other: readonly string[]) =>
  isCoveredBy(redactionOf(one), redactionOf(other));

describe('what one queue hides the other hides, too', () => {
  test.each<[string, string[], string[]]>([
    ['nothing', [], []],
    ['the same rules in another order', ['pin', '/card/number'], ['/card/number', 'pin']],
    ['all of it', ['pin', '/0'], [HIDE_ALL]],
    ['a wider name', ['password', 'password*', '*password'], ['*PASS-word*']],
    ['a name that ends so', ['apikey'], ['*key']],
    ['a name that begins so', ['secret-of'], ['secret*']],
    ['a path that ends with a hidden name', ['/user/password'], ['password']],
    ['the default rules', [...REDACTION_DEFAULT], [...REDACTION_DEFAULT, 'more']],
  ])('by %s', (_, one, other) => {
    expect(covered(one, other)).toBe(true);
  });

  test.each<[string, string[], string[]]>([
    ['without rules', ['pin'], []],
    ['with fewer', ['pin', 'password'], ['pin']],
    ['with a narrower name', ['*password*'], ['password*']],
    ['when all was hidden', [HIDE_ALL], ['*a*', '*e*']],
    ['with the place around it alone', ['/user/pin'], ['/user']],
    ['with an entry of a list', ['/items/0'], ['/items/1']],
    ['with the name of a list around it', ['/items/0'], ['items']],
  ])('and not %s', (_, one, other) => {
    expect(covered(one, other)).toBe(false);
  });
});

test('it holds for payloads: nothing that was hidden is shown by rules that cover it', () => {
  const RULES = [
    'pin',
    '*pin',
    'pin*',
    '*pin*',
    '/pin',
    '/a/pin',
    '/a',
    '/items/*/pin',
    '/items/0',
    HIDE_ALL,
  ];
  const PAYLOADS = [
    '{"pin":"s3cret"}',
    '{"a":{"pin":"s3cret"}}',
    '{"a":"s3cret"}',
    '{"items":[{"pin":"s3cret"},"s3cret"]}',
    '{"spin":"s3cret","pink":"s3cret"}',
    'pin=s3cret',
    'a=s3cret',
    'items: s3cret',
    '["s3cret"]',
  ];
  const sets = RULES.flatMap((one) => [[one], ...RULES.map((other) => [one, other])]);
  const shown = new Map(
    sets.map((set) => [
      set,
      PAYLOADS.map((payload) => redactText(payload, redactionOf(set)).text.split('s3cret').length),
    ]),
  );
  let coverings = 0;
  for (const one of sets)
    for (const other of sets) {
      if (!covered(one, other)) continue;
      coverings += 1;
      const [before, after] = [shown.get(one) ?? [], shown.get(other) ?? []];
      const more = PAYLOADS.filter((_, i) => (after[i] ?? 0) > (before[i] ?? 0));
      if (more.length > 0) expect.fail(`${one} by ${other}: ${more[0]}`);
    }
  expect(coverings).toBeGreaterThan(sets.length);
});
