/**
 * S20: a body that nobody expected is refused, by every route that takes one: never a crash, never an answer without a code, and no
 * object of the process is changed by it. Bodies are made up: any JSON, a right one with something wrong in it, and any bytes.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { log } from '@/lib/server/console-log';
import { type Entry, INVENTORY } from '@/testing/security/route-inventory';
import { setUpConsole } from '@/testing/worlds/console-server';
import { callApi } from '@/testing/worlds/route-caller';
import { killAll } from '@/testing/worlds/world';

const world = await setUpConsole();
let crash: ReturnType<typeof vi.spyOn>;
beforeAll(async () => {
  await killAll(world.broker, 'inside', [{ jobId: 'job', jobType: 'a', payload: '{"a":1}' }]);
  crash = vi.spyOn(log(), 'error');
});

const ROUTES = Object.entries(INVENTORY).filter(([key]) => !/^(GET|HEAD) /.test(key));

/** Names that mean something to an object, and texts that mean something to whoever reads them as a number, a key or a pattern. */
const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'then',
  'toJSON',
  'length',
  '',
  '$gt',
  'a.b',
  '0',
];
const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    -1,
    0,
    1e308,
    -0,
    0.1,
    2 ** 53,
    '',
    '0',
    '1e3',
    '\0',
    '\ud800',
    '*',
    '{',
    '__proto__',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.array(fc.constant(1), { maxLength: 3 }),
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, odd, fc.array(tie('value'), { maxLength: 4 }), tie('object')),
  object: fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...KEYS), fc.string({ maxLength: 12 })), tie('value')), {
      maxLength: 5,
    })
    .map(objectOf),
})).value;

/** As JSON.parse would make it: `__proto__` is a field like others, and not what it is in a literal. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const made = {};
  for (const [key, value] of entries)
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

/** A body that would do, with one field more, or another value somewhere in it. */
const nearly = (right: unknown) =>
  fc.tuple(anyJson, fc.nat(), fc.constantFrom(...KEYS)).map(([value, at, key]) => {
    if (typeof right !== 'object' || right === null || Array.isArray(right)) return value;
    const entries = Object.entries(right);
    const place = at % (entries.length + 1);
    if (place === entries.length) return objectOf([...entries, [key, value]]);
    return objectOf(entries.map(([name, old], i) => [name, i === place ? value : old]));
  });

const pathOf = (key: string, { params = {}, query = '' }: Entry) => {
  const names: Record<string, string> = {
    queue: 'inside',
    id: 'job',
    group: 'abcdefabcdef',
    action: 'pause',
    rest: 'x',
    ...params,
  };
  const path = (key.split(' ')[1] ?? '').replace(
    /\[(?:\.\.\.)?(\w+)\]/g,
    (_, name: string) => names[name] ?? 'x',
  );
  return path + query;
};

describe.each(ROUTES)('%s', (key, entry) => {
  const method = key.split(' ')[0] ?? '';
  async function send(body: string | Uint8Array<ArrayBuffer>): Promise<void> {
    crash.mockClear();
    const answer = await callApi(method, pathOf(key, entry), {
      raw: body,
      headers: { 'content-type': 'application/json' },
    });
    const problem = answer.status >= 400 ? answer.body : { code: 'fine', status: answer.status };
    expect(answer.status).toBeLessThan(500);
    expect(problem).toMatchObject({ status: answer.status, code: expect.stringMatching(/^\w+$/) });
    expect(problem.code).not.toBe('INTERNAL');
    expect(JSON.stringify(answer.body).length).toBeLessThan(100_000);
    expect('polluted' in {}).toBe(false);
    expect(
      crash.mock.calls.map(([about]: unknown[]) => String((about as { err?: Error }).err?.stack ?? about)),
    ).toEqual([]);
  }

  test('any JSON', () =>
    fc.assert(
      fc.asyncProperty(anyJson, (value) => send(JSON.stringify(value))),
      { numRuns: 25 },
    ));

  test('a right one with something wrong in it', () =>
    fc.assert(
      fc.asyncProperty(nearly(entry.body), (value) => send(JSON.stringify(value))),
      { numRuns: 40 },
    ));

  test('any bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) =>
        send(new Uint8Array(bytes)),
      ),
      { numRuns: 15 },
    ));
});

test('nothing was lost by it: the console answers, and what it counts is right', async () => {
  expect(Object.keys({})).toEqual([]);
  expect('polluted' in {}).toBe(false);
  expect((await callApi('GET', '/api/v1/queues')).status).toBe(200);
  expect((await world.broker.inspect.ledger('inside')).difference).toBe(0);
});
