import { describe, expect, it, test } from 'vitest';
import { readJson, shapeOf } from './json-body';
import { countMembers, repeatedName } from './repeated-names';

const read = (text: string, exact: string[] = []) =>
  readJson(
    new Request('http://localhost/', {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    }),
    exact,
  );

describe('a name that stands twice', () => {
  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"payload":{"to":"x","cc":[{"n":1},{"n":1,"n":2}]}}', 'payload.cc.1.n'],
    ['{"jobs":[{"jobType":"t"},{"jobType":"t","payload":{"a":1,"b":{},"a":[]}}]}', 'jobs.1.payload.a'],
    ['{"a":1,"\\u0061":1}', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"config":{"rate":null,"rate":{}}}', 'config.rate'],
  ])('%s is refused with its path', async (text, field) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'VALIDATION',
      message: `body is not valid: ${field} stands twice: one of the two would be lost. Send it once.`,
      fields: [{ field }],
    });
    expect(repeatedName(text)).toBe(field);
  });

  it('in different objects, or within a text, is none', async () => {
    const text = '{"a":{"a":1},"b":[{"a":1},{"a":1}],"payloadText":"{\\"a\\":1,\\"a\\":2}"}';
    expect(await read(text, ['b'])).toMatchObject({ a: { a: 1 } });
    expect(countMembers(JSON.parse(text))).toBe(shapeOf(text).members);
  });
});
