import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeSchema, payloadProblem } from './handler-schemas';
import { HANDLER_SCHEMA_MAX_CHARS } from './worker-limits';

const order = z.strictObject({
  id: z.string().regex(/^ord-/i),
  email: z.email(),
  total: z.number().min(0).max(1_000),
  lines: z.array(z.object({ sku: z.string().min(1), n: z.int().default(1) })).min(1),
  kind: z.discriminatedUnion('is', [
    z.object({ is: z.literal('a'), x: z.number() }),
    z.object({ is: z.literal('b'), y: z.string().optional() }),
  ]),
});
const good = { id: 'ORD-1', email: 'a@b.example', total: 5, lines: [{ sku: 's' }], kind: { is: 'b' } };
const told = (schema: z.ZodType) => {
  const described = describeSchema(schema);
  if (!described) throw new Error('nothing was told');
  // As it comes from Redis.
  return JSON.parse(JSON.stringify(described)) as typeof described;
};
const problem = (schema: z.ZodType, value: unknown) => payloadProblem(told(schema), JSON.stringify(value));

describe('what is told of a schema', () => {
  it('is the shape: it refuses what lacks fields, has other types or is out of range, by the field', () => {
    expect(problem(order, good)).toBeNull();
    expect(problem(order, { ...good, total: '5' })).toContain('total');
    expect(problem(order, { ...good, total: 1_001 })).toContain('total');
    expect(problem(order, { ...good, lines: [] })).toContain('lines');
    expect(problem(order, { ...good, lines: [{ sku: 's', n: 1.5 }] })).toContain('lines.0.n');
    expect(problem(order, { ...good, more: 1 })).toContain('more');
    expect(problem(order, { ...good, kind: { is: 'c' } })).toContain('kind');
    expect(problem(order, [])).toContain('payload');
    expect(payloadProblem(told(order), '{')).toContain('not JSON');
    expect(payloadProblem(told(z.object({})), '\ufeff{}')).toBeNull();
    expect(payloadProblem(told(order), '')).toBeNull();
  });

  it('has no patterns and formats, not even when Redis holds some', () => {
    expect(JSON.stringify(told(order))).not.toMatch(/pattern|format/);
    const planted = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$', format: 'email' } },
    };
    expect(payloadProblem(planted, JSON.stringify({ a: `${'a'.repeat(50)}!` }))).toBeNull();
  });

  it.each([
    ['coerced', z.object({ a: z.coerce.number() }), { a: '42' }],
    ['caught', z.object({ a: z.number().catch(0) }), { a: 'none' }],
    ['trimmed before it is measured', z.object({ a: z.string().trim().max(3) }), { a: ' abc ' }],
    ['preprocessed', z.object({ a: z.preprocess(Number, z.number()) }), { a: '42' }],
    ['caught when it is missing', z.object({ a: z.number().catch(0) }), {}],
    ['a size, then bounded', z.object({ a: z.number().overwrite(Math.abs).min(0) }), { a: -1 }],
    ['transformed', z.object({ a: z.string().transform(Number).pipe(z.number()) }), { a: '42' }],
    ['a date', z.object({ a: z.coerce.date() }), { a: '2026-01-01' }],
    ['with an offset', z.object({ a: z.iso.datetime({ offset: true }) }), { a: '2026-01-01T00:00:00+02:00' }],
    ['an overlapping union', z.object({ a: z.union([z.string(), z.string().max(3)]) }), { a: 'a' }],
    [
      'either or, by pattern',
      z.object({ a: z.xor([z.string().regex(/^a/), z.string().regex(/^b/)]) }),
      { a: 'a' },
    ],
    [
      'recursive',
      z.object({
        get a() {
          return z.array(z.lazy((): z.ZodType => z.unknown()));
        },
      }),
      { a: [[1]] },
    ],
    ['a record', z.record(z.string().regex(/^k/), z.number()), { k1: 1 }],
    [
      'an intersection',
      z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
      { a: '', b: 1 },
    ],
    [
      'in upper case',
      z.object({
        a: z
          .string()
          .toUpperCase()
          .regex(/^[A-Z]+$/),
      }),
      { a: 'abc' },
    ],
  ])('what is %s is not refused', (_, schema, value) => {
    expect(schema.safeParse(value).success).toBe(true);
    expect(problem(schema, value)).toBeNull();
  });

  it('never refuses what the handler takes', () => {
    const loose = z.record(z.string(), z.unknown());
    const schema = z.object({
      a: z.union([z.string().min(2), z.int(), z.null()]),
      b: z.array(z.tuple([z.number(), z.boolean()])).optional(),
    });
    const part = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.constant(null),
      fc.array(fc.tuple(fc.integer(), fc.boolean())),
    );
    fc.assert(
      fc.property(fc.record({ a: part, b: part }, { requiredKeys: [] }), (value) => {
        const text = JSON.stringify(value);
        if (schema.safeParse(JSON.parse(text)).success) expect(payloadProblem(told(schema), text)).toBeNull();
        expect(payloadProblem(told(loose), text)).toBeNull();
      }),
    );
  });

  it('is nothing when it would be long, or cannot be told', () => {
    const shape = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`field${i}`, z.string()]));
    expect(JSON.stringify(z.toJSONSchema(z.object(shape))).length).toBeGreaterThan(HANDLER_SCHEMA_MAX_CHARS);
    expect(describeSchema(z.object(shape))).toBeNull();
    const broken = new Proxy(z.string(), {
      get: () => {
        throw new Error('no');
      },
    });
    expect(describeSchema(broken)).toBeNull();
  });

  it('a schema or payload that makes no sense refuses nothing and throws nothing', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const schema of [
      { type: 'nonsense' },
      { $ref: '#' },
      { $ref: '#/$defs/x' },
      { anyOf: 7 },
      { items: { $ref: '#' } },
    ])
      for (const payload of ['1', deep, '{"a":1}'])
        expect(() => payloadProblem(schema, payload)).not.toThrow();
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('type', 'items', 'properties', 'anyOf', '$ref', 'not', 'const', 'minimum', '$defs'),
          fc.jsonValue(),
        ),
        fc.json(),
        (schema, payload) => {
          payloadProblem(schema, payload);
        },
      ),
    );
  });
});

describe('a schema that somebody else wrote', () => {
  const doubling = (depth: number) => {
    const $defs: Record<string, unknown> = { [`d${depth}`]: { type: 'number' } };
    for (let i = 0; i < depth; i++) {
      const next = { $ref: `#/$defs/d${i + 1}` };
      $defs[`d${i}`] = { anyOf: [next, next] };
    }
    return { $ref: '#/$defs/d0', $defs };
  };
  const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)]);

  it('refuses nothing when its check would take too many steps', () => {
    expect(payloadProblem(doubling(5), '{"a":1}')).not.toBeNull();
    // 2 to the power of 40 options: a check of them never ends.
    expect(payloadProblem(doubling(40), '{"a":1}')).toBeNull();
    const list = { type: 'array', items: { $ref: '#' } };
    expect(payloadProblem({ anyOf: [list, list] }, JSON.stringify(nested(40)))).toBeNull();
    const members = { type: 'object', additionalProperties: { $ref: '#' } };
    const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
    expect(payloadProblem({ allOf: [members, members] }, deep)).toBeNull();
    expect(payloadProblem({ $ref: '#' }, '1')).toBeNull();
  });

  it('refuses nothing when it is longer than Redrive reports', () => {
    const properties = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'number' }]));
    const schema = (count: number) => ({ type: 'object', properties: properties(count) });
    expect(payloadProblem(schema(10), '{"p0":"x"}')).not.toBeNull();
    expect(payloadProblem(schema(1_000), '{"p0":"x"}')).toBeNull();
  });
});
