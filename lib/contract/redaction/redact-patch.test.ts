import { describe, expect, test } from 'vitest';
import type { PatchStep } from '../operations/operation-request';
import { maskedPatch, touchesHidden, writesMask } from './redact-patch';
import { redactionOf } from './redaction';
import { HIDE_ALL, MASK } from './redaction-default';

const add = (path: string, value: Extract<PatchStep, { op: 'add' }>['value'] = 1): PatchStep => ({
  op: 'add',
  path,
  value,
});
const put = (path: string, value: Extract<PatchStep, { op: 'add' }>['value'] = 1): PatchStep => ({
  op: 'replace',
  path,
  value,
});
const compare = (path: string, value: Extract<PatchStep, { op: 'add' }>['value'] = 1): PatchStep => ({
  op: 'test',
  path,
  value,
});
const remove = (path: string): PatchStep => ({ op: 'remove', path });

describe('an edit touches what is hidden', () => {
  test.each<[string, PatchStep, string]>([
    ['by its name', put('/user/password'), 'password'],
    ['below it', add('/secret/a/b'), 'secret'],
    ['by a guess at it', compare('/card/number'), '/card/number'],
    ['by a guess at an object that has it', compare('/card', { number: 4 }), '/card/number'],
    ['by a guess at a name deep in a value', compare('/a', [{ b: { pin: 1 } }]), 'pin'],
    ['with the whole payload', put('', { a: { pin: 1 } }), 'pin'],
    ['by what is around it', put('/card', 'gone'), '/card/number'],
    ['by taking away what is around it', remove('/items/3'), '/items/*/price'],
    ['in an entry', put('/items/3/price'), '/items/*/price'],
    ['by moving it to another place of its list', remove('/items/0'), '/items/1/price'],
    ['by moving it along', add('/items/0', {}), '/items/1'],
    ['written with escapes', put('/a~1b'), '/a~1b'],
    ['when all is hidden', add('/x'), HIDE_ALL],
  ])('%s', (_, step, rule) => {
    expect(touchesHidden([add('/harmless'), step], redactionOf([rule]))).toBe(true);
  });

  test.each<[string, PatchStep, string]>([
    ['beside it', put('/card/brand'), '/card/number'],
    ['of another name', put('/user/passwords'), 'password'],
    ['at the end of its list', add('/items/-', {}), '/items/1/price'],
    ['of the same list, where every entry is alike', put('/items/0/name'), '/items/*/price'],
    ['without rules', put('/password'), ''],
  ])('and not %s', (_, step, rule) => {
    expect(touchesHidden([step], redactionOf(rule === '' ? [] : [rule]))).toBe(false);
  });
});

test('a patch is shown without what it puts into hidden places', () => {
  const patch = [
    put('/password', 'x'),
    put('/user', { name: 'ann', pin: 7, more: [{ pin: 8 }] }),
    compare('/card', { number: 1, brand: 'v' }),
    remove('/password'),
    add('/n', 5),
  ];
  expect(maskedPatch(patch, redactionOf(['password', 'pin', '/card/number']))).toEqual([
    put('/password', MASK),
    put('/user', { name: 'ann', pin: MASK, more: [{ pin: MASK }] }),
    compare('/card', { number: MASK, brand: 'v' }),
    remove('/password'),
    add('/n', 5),
  ]);
  expect(maskedPatch([add('/n', { a: 1 })], redactionOf([HIDE_ALL]))).toEqual([add('/n', MASK)]);
  expect(maskedPatch(patch, redactionOf([]))).toEqual(patch);
});

test('what stands for a hidden value is told from a value', () => {
  expect(writesMask([add('/a', { b: [MASK] })])).toBe(true);
  expect(writesMask([put('/a', MASK)])).toBe(true);
  expect(writesMask([compare('/a', MASK), remove('/a'), add('/a', `not ${MASK}`)])).toBe(false);
});
