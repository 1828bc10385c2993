import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filters, jobFacts, leaves, type Meant, payloads } from '@/testing/model/random-queries';
import { readingsOf } from '@/testing/model/written-json';
import { compareDecimals, createMatcher, matches, parseDecimal, parseQueryOrThrow, payloadNeedle } from '.';
import type { Comparison, Filter, JobFacts } from './filter';

const NOW = 1_000_000_000;
const facts: JobFacts = {
  queue: 'billing',
  id: 'job-1',
  type: 'invoice.send',
  version: 2,
  tenant: 'acme',
  priority: -1,
  attempts: 3,
  code: 'HTTP_503',
  class: 'retryable',
  group: '0123456789ab',
  key: 'order:42',
  correlation: null,
  trace: null,
  operation: null,
  enteredAt: NOW - 3_600_000,
  payload:
    '{"order":{"id":9007199254740993,"lines":[{"sku":"A-1","n":1},{"sku":"B-2","n":20.50}],"note":"Grüße, ÄRGER"},"flag":true,"none":null}',
  message: 'Upstream said: Try LATER',
};
const says = (text: string, about: JobFacts = facts) => matches(parseQueryOrThrow(text), about, NOW);

describe('one job', () => {
  it.each([
    ['', true],
    ['type:invoice.*', true],
    ['type:invoice', false],
    ['type:Invoice.*', false],
    ['group:0123', true],
    ['group:123', false],
    ['correlation:*', false],
    ['-correlation:*', true],
    ['key:* -trace:x', true],
    ['age:>1h', false],
    ['age:>=1h', true],
    ['age:59m..61m', true],
    ['attempts:>=3 priority:<0', true],
    ['version:(1 OR 3)', false],
    ['"try later"', true],
    ['ÄRGER', true],
    ['ärger', false],
    ['grüße', true],
    ['invoice', true],
    ['http_503', true],
    ['acme', false],
    ['payload.order.id:9007199254740993', true],
    ['payload.order.id:9007199254740992', false],
    ['payload.order.id:9007199254740994', false],
    ['payload.order.id:>9007199254740992', true],
    ['payload.order.id:<9007199254740993', false],
    ['payload.order.id:9007*', true],
    ['payload.order.lines.sku:B-2', true],
    ['payload.order.lines.sku:b-2', false],
    ['payload.order.lines.1.sku:B-2', true],
    ['payload.order.lines.0.sku:B-2', false],
    ['payload.order.lines.n:20.5', true],
    ['payload.order.lines.n:>20', true],
    ['payload.order.lines.n:>"20.5"', false],
    ['payload.flag:true', true],
    ['payload.none:null', true],
    ['payload.order:*', true],
    ['payload.nowhere:*', false],
    ['-payload.nowhere:1', true],
    ['payload.order.lines.length:*', false],
    ['payload.constructor:*', false],
  ])('%s: %s', (text, answer) => {
    expect(says(text)).toBe(answer);
  });

  it('a payload that is no JSON, or no text, has no values', () => {
    for (const payload of ['{"a":1', '{1:2}', '{12 :2}', '01', '12:', '-', '', null, '{"a":1}}', "{'a':1}"]) {
      expect(says('payload.a:*', { ...facts, payload })).toBe(false);
      expect(says('-payload.a:1', { ...facts, payload })).toBe(true);
    }
    expect(says('payload.a:1', { ...facts, payload: '\ufeff{"a":1}' })).toBe(true);
  });

  it('reads nesting of any depth, and lists of lists, without running out of stack or time', () => {
    const depth = 20_000;
    const deep = { ...facts, payload: `${'['.repeat(depth)}{"a":7}${']'.repeat(depth)}` };
    expect(says('payload.a:7', deep)).toBe(true);
    expect(says(`payload${'.0'.repeat(18)}.a:7`, deep)).toBe(true);
    expect(says(`payload${'.0'.repeat(18)}.a:8`, deep)).toBe(false);
  });
});

/** The same rules once more, as plainly as they can be said. */
function model(filter: Filter, job: JobFacts, payload: Meant | null): boolean {
  switch (filter.kind) {
    case 'all':
      return true;
    case 'and':
      return !filter.of.some((part) => !model(part, job, payload));
    case 'or':
      return filter.of.some((part) => model(part, job, payload));
    case 'not':
      return !model(filter.of, job, payload);
    case 'name': {
      const has = job[filter.field];
      if (has === null) return false;
      const cut = filter.prefix || filter.field === 'group' ? has.slice(0, filter.value.length) : has;
      return cut === filter.value;
    }
    case 'number':
      return holds(BigInt(job[filter.field]) - BigInt(filter.value), filter.compare);
    case 'age':
      return holds(BigInt(NOW - job.enteredAt) - BigInt(filter.ms), filter.compare);
    case 'text': {
      const lower = (text: string) =>
        [...text].map((c) => (c >= 'A' && c <= 'Z' ? c.toLowerCase() : c)).join('');
      return (
        [...readingsOf(job.payload), job.id, job.type, job.code, job.message].some(
          (text) => text !== null && lower(text).split(lower(filter.value)).length > 1,
        ) || filter.value === ''
      );
    }
    case 'payload':
      return (payload ? reached(payload, filter.path) : []).some((value) => scalarHolds(value, filter));
  }
}
function holds(difference: bigint, compare: Comparison): boolean {
  return {
    '=': difference === 0n,
    '<': difference < 0n,
    '<=': difference <= 0n,
    '>': difference > 0n,
    '>=': difference >= 0n,
  }[compare];
}
function reached(value: Meant, path: readonly string[]): Meant[] {
  const [step, ...rest] = path;
  if ('list' in value) {
    const each = value.list.flatMap((entry) => reached(entry, path));
    if (step === undefined) return [value, ...each];
    const picked = String(Number(step)) === step ? value.list[Number(step)] : undefined;
    return picked ? [...each, ...reached(picked, rest)] : each;
  }
  if (step === undefined) return [value];
  if (!('object' in value)) return [];
  return value.object.filter(([key]) => key === step).flatMap(([, entry]) => reached(entry, rest));
}
const scaled = (text: string): bigint => {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(500 + Number(power) - fraction.length);
};
const isNumber = (text: string) =>
  text.trim() === text &&
  text !== '' &&
  /^-?\d/.test(text) &&
  /\d$/.test(text) &&
  !Number.isNaN(Number(text));
function scalarHolds(value: Meant, filter: Extract<Filter, { kind: 'payload' }>): boolean {
  const { compare, prefix, value: wanted } = filter;
  if (prefix && wanted === '') return true;
  if ('list' in value || 'object' in value) return false;
  const text = 'number' in value ? value.number : 'string' in value ? value.string : value.word;
  if (prefix) return text.startsWith(wanted);
  if ('number' in value)
    return (
      isNumber(wanted) &&
      holds(scaled(text) - scaled(wanted), compare) &&
      (filter.upTo === undefined || scaled(text) <= scaled(filter.upTo))
    );
  return compare === '=' && text === wanted;
}

describe('the same as said plainly', () => {
  it('any filter, any job', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(
        fc.oneof(filters, leaves),
        jobFacts,
        fc.option(payloads, { nil: null }),
        (filter, job, payload) => {
          const about = { ...job, payload: payload?.text ?? null };
          expect(matches(filter, about, NOW)).toBe(model(filter, about, payload?.meant ?? null));
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it('a path leads nowhere in a payload without its needle', () => {
    fc.assert(
      fc.property(leaves, jobFacts, payloads, (filter, job, { text }) => {
        if (filter.kind !== 'payload' || !matches(filter, { ...job, payload: text }, NOW)) return;
        const needle = payloadNeedle(filter.path);
        expect(needle === null || text.includes(needle) || text.includes('\\u')).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });

  it('what is known in part decides nothing that the rest could turn', () => {
    fc.assert(
      fc.property(
        fc.oneof(filters, leaves),
        jobFacts,
        fc.subarray(Object.keys(facts) as (keyof JobFacts)[]),
        (filter, job, fields) => {
          const known = Object.fromEntries(fields.map((field) => [field, job[field]]));
          const answer = createMatcher(filter, NOW)(known);
          expect([null, matches(filter, job, NOW)]).toContain(answer);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('NOT, AND and OR obey their laws', () => {
    fc.assert(
      fc.property(filters, filters, jobFacts, (a, b, job) => {
        const [isA, isB] = [matches(a, job, NOW), matches(b, job, NOW)];
        expect(matches({ kind: 'and', of: [a, b] }, job, NOW)).toBe(isA && isB);
        expect(matches({ kind: 'or', of: [a, b] }, job, NOW)).toBe(isA || isB);
        expect(matches({ kind: 'not', of: { kind: 'and', of: [a, b] } }, job, NOW)).toBe(!isA || !isB);
      }),
    );
  });
});

describe('decimals', () => {
  const decimal = fc
    .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(40), fc.integer({ min: -40, max: 40 }))
    .map(([n, places, power]) => {
      const digits = (n < 0n ? -n : n).toString().padStart(places + 1, '0');
      const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
      return `${n < 0n ? '-' : ''}${text.replace(/^0+(?=\d)/, '')}e${power}`;
    });

  it('are compared exactly', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const [x, y] = [parseDecimal(a), parseDecimal(b)];
        if (!x || !y) throw new Error(`${a} ${b}`);
        const difference = scaled(a) - scaled(b);
        expect(Math.sign(compareDecimals(x, y))).toBe(difference === 0n ? 0 : difference < 0n ? -1 : 1);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each(['', '+1', '01', '1.', '.5', '1e', '0x1', ' 1', '1 ', 'NaN', 'Infinity', '--1', '1_000'])(
    '%s is none',
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );
});
