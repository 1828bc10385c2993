import { describe, expect, it } from 'vitest';
import { RedriveError } from '@/lib/contract/redrive-error';
import { parseQuery, parseQueryOrThrow, printQuery, QUERY_MAX_PATH_STEPS } from '.';
import { QUERY_MAX_CHARS, QUERY_MAX_DEPTH, QUERY_MAX_TERMS } from './filter';

const filterOf = (text: string) => {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.message}`);
  return parsed.filter;
};
const errorOf = (text: string) => {
  const parsed = parseQuery(text);
  if (parsed.ok) throw new Error(`${text} was taken`);
  const { message, position, length, suggestion } = parsed.error;
  return { message, letters: text.slice(position, position + length), suggestion, position };
};

describe('what is meant', () => {
  it.each([
    ['', { kind: 'all' }],
    ['  ', { kind: 'all' }],
    ['type:invoice.*', { kind: 'name', field: 'type', value: 'invoice.', prefix: true }],
    ['tenant:acme', { kind: 'name', field: 'tenant', value: 'acme', prefix: false }],
    ['code:"HTTP_503"', { kind: 'name', field: 'code', value: 'HTTP_503', prefix: false }],
    ['group:AB12', { kind: 'name', field: 'group', value: 'ab12', prefix: true }],
    ['group:0123456789ab', { kind: 'name', field: 'group', value: '0123456789ab', prefix: false }],
    ['key:*', { kind: 'name', field: 'key', value: '', prefix: true }],
    ['key:order:42', { kind: 'name', field: 'key', value: 'order:42', prefix: false }],
    ['key:"a*"', { kind: 'name', field: 'key', value: 'a*', prefix: false }],
    ['key:"a(b"*', { kind: 'name', field: 'key', value: 'a(b', prefix: true }],
    ['age:>1h', { kind: 'age', compare: '>', ms: 3_600_000 }],
    ['age:<=90m', { kind: 'age', compare: '<=', ms: 5_400_000 }],
    ['attempts:3', { kind: 'number', field: 'attempts', compare: '=', value: 3 }],
    ['priority:<-1', { kind: 'number', field: 'priority', compare: '<', value: -1 }],
    [
      'payload.order.id:42',
      { kind: 'payload', path: ['order', 'id'], compare: '=', value: '42', prefix: false },
    ],
    [
      'payload."odd key"."a.b".0:>=1.5',
      { kind: 'payload', path: ['odd key', 'a.b', '0'], compare: '>=', value: '1.5', prefix: false },
    ],
    [
      'payload.note:"it is \\"it\\" \\\\"',
      { kind: 'payload', path: ['note'], compare: '=', value: 'it is "it" \\', prefix: false },
    ],
    [
      'payload.url:http://x/*',
      { kind: 'payload', path: ['url'], compare: '=', value: 'http://x/', prefix: true },
    ],
    ['"free text"', { kind: 'text', value: 'free text' }],
    ['-5', { kind: 'not', of: { kind: 'text', value: '5' } }],
    ['"-5"', { kind: 'text', value: '-5' }],
    ['C:\\temp'.replace(':', ''), { kind: 'text', value: 'C\\temp' }],
  ])('%s', (text, filter) => {
    expect(filterOf(text)).toEqual(filter);
  });

  it.each([
    ['type:a AND tenant:b', 'type:a tenant:b'],
    ['a b OR c d', 'a b OR c d'],
    ['(a b) OR (c d)', 'a b OR c d'],
    ['a (b OR c) d', 'a (b OR c) d'],
    ['((a OR b)) OR c', 'a OR b OR c'],
    ['NOT a', '-a'],
    ['NOT -a', 'a'],
    ['--a', 'a'],
    ['-(a b)', '-(a b)'],
    ['NOT (type:a OR type:b)', '-type:(a OR b)'],
    ['type:a OR type:b*', 'type:(a OR b*)'],
    ['type:(OR OR AND)', 'type:(OR OR AND)'],
    ['attempts:1..3', 'attempts:1..3'],
    ['attempts:>=1 attempts:<=3', 'attempts:1..3'],
    ['-attempts:-3..-1', '-attempts:-3..-1'],
    ['attempts:(1..3 OR 5)', 'attempts:(1..3 OR 5)'],
    ['age:60m..48h', 'age:1h..2d'],
    ['age:>168h', 'age:>1w'],
    ['age:=0d', 'age:=0s'],
    ['a a "a"', 'a'],
    ['attempts:+3'.replace('+', '='), 'attempts:3'],
    ['group:0123456789ab*', 'group:0123456789ab'],
    ['class:re*', 'class:re*'],
  ])('%s is written %s', (text, printed) => {
    expect(printQuery(filterOf(text))).toBe(printed);
  });
});

describe('errors say where and what to do', () => {
  it.each([
    // query, the letters that are wrong, part of the sentence, what may stand there
    ['tenant:a class:retriable', 'retriable', 'no class "retriable"', 'retryable'],
    ['a tpye:b', 'tpye', 'no field "tpye"', 'type'],
    ['http://x', 'http://x', 'no field "http"', '"http://x"'],
    ['order.id:42', 'order.id', 'begins with "payload."', 'payload.order.id'],
    ['paylod.order.id:42', 'paylod.order.id', 'no field', 'payload.order.id'],
    ['payload:42', 'payload:42', 'which value', '42'],
    ['payload.order.id', 'payload.order.id', 'Say what payload.order.id is to be', 'payload.order.id:*'],
    ['payload..a:1', 'payload..a:1', 'lacks a step', null],
    ['payload.*.a:1', '*', 'looked through without', '"*"'],
    ['payload.total:>many', '>many', 'compares numbers', null],
    ['type:"a b"', '"a b"', 'No type can be "a b"', null],
    ['type:a*b', 'a*b', 'only at the end', '"a*b"'],
    ['fo*o', 'fo*o', 'only at the end', '"fo*o"'],
    ['foo*', 'foo*', 'wherever it stands', 'foo'],
    ['type:>a', '>a', 'compared as a whole', 'a'],
    ['key:>a', '>a', 'compared as a whole', '">a"'],
    ['key:""', '""', 'never empty; for jobs without one write -key:*', null],
    ['group:xyz', 'xyz', 'no failure group', null],
    ['age:1h', '1h', 'Say whether older (age:>1h) or younger (age:<1h)', '>1h'],
    ['age:>1', '>1', 'age is a whole number and a unit', null],
    ['attempts:many', 'many', 'attempts is a whole number', null],
    ['attempts:9007199254740993', '9007199254740993', 'attempts is a whole number', null],
    ['attempts:3..1', '3..1', 'ends before it begins', '1..3'],
    ['type: a', 'type: a', 'Nothing may stand between', 'type:a'],
    ['type:', 'type:', 'Say what type is to be', 'type:*'],
    ['type:(a b)', 'b', 'write OR', 'OR b'],
    ['type:(a OR', '(', 'not closed', null],
    ['type:(a OR (b))', '(', 'no parentheses of their own', null],
    ['"abc', '"abc', 'not closed', '"abc"'],
    ['"a\\d"', '\\', 'written twice', '\\\\'],
    ['ab"c"', 'ab"c"', 'Put quotes around', '"ab\\"c\\""'],
    ['fail(x)', 'fail(x)', 'holds parentheses', '"fail(x)"'],
    ['"a"b', '"a"b', 'space after the closing quote', '"a" b'],
    ['"type":b', '"type":b', 'without quotes', null],
    ['“free text” a', '“free text”', 'straight quotes', '"free text"'],
    ['a or b', 'or', 'in capitals', 'OR'],
    ['a - b', '-', 'right before', '"-"'],
    ['(a', '(', 'not closed', null],
    ['a)', ')', 'closes nothing', ''],
    ['a ()', '()', 'nothing in these', ''],
    ['a OR', 'OR', 'missing after OR', null],
    ['OR a', 'OR', 'missing before OR', ''],
    ['(a OR ) b', 'OR', 'missing after OR', null],
    ['a ""', '""', 'nothing to look for', ''],
    ['a \ud800b', '\ud800', 'half a character', ''],
  ])('%s', (text, letters, message, suggestion) => {
    const error = errorOf(text);
    expect(error.message).toContain(message);
    expect(error).toMatchObject({ letters, suggestion });
  });

  it('stops at its limits, and says which', () => {
    const terms = Array.from({ length: QUERY_MAX_TERMS }, (_, i) => `t${i}`).join(' ');
    expect(parseQuery(terms).ok).toBe(true);
    expect(errorOf(`${terms} more`)).toMatchObject({
      letters: 'more',
      message: 'A query has at most 64 terms.',
    });
    expect(errorOf(`attempts:1..2 ${terms.slice(3)}`).message).toContain('64 terms');

    const nested = (depth: number) => `${'(x '.repeat(depth)}y${')'.repeat(depth)}`;
    expect(parseQuery(nested(QUERY_MAX_DEPTH)).ok).toBe(true);
    expect(errorOf(nested(QUERY_MAX_DEPTH + 1))).toMatchObject({
      letters: '(',
      position: 3 * QUERY_MAX_DEPTH,
    });
    expect(errorOf(`${'('.repeat(QUERY_MAX_DEPTH)}type:(a OR b)`).message).toContain('5 deep');

    const long = 'x'.repeat(QUERY_MAX_CHARS);
    expect(parseQuery(long).ok).toBe(true);
    expect(errorOf(`${long}yz`)).toMatchObject({ letters: 'yz', position: QUERY_MAX_CHARS });

    const path = (steps: number) => `payload${'.a'.repeat(steps)}:1`;
    expect(parseQuery(path(QUERY_MAX_PATH_STEPS)).ok).toBe(true);
    expect(errorOf(path(QUERY_MAX_PATH_STEPS + 1)).message).toContain('20 steps');
  });

  it('is thrown as BAD_QUERY that names the field, the place and what may be meant', () => {
    expect(() => parseQueryOrThrow('a tpye:b')).toThrow(RedriveError);
    try {
      parseQueryOrThrow('a tpye:b', 'scope.q');
      expect.unreachable();
    } catch (error) {
      const detail = 'At character 3: There is no field "tpye". Did you mean type there?';
      expect(error).toMatchObject({
        code: 'BAD_QUERY',
        message: detail,
        fields: [{ field: 'scope.q', message: detail }],
      });
    }
  });
});
