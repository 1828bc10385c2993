import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { parseOrThrow, RedriveError } from './errors';

test('an error of another copy of this module is one of ours', async () => {
  // Routes and instrumentation are separate bundles of one process: each has its own class.
  vi.resetModules();
  const copy = await import('./errors');
  expect(copy.RedriveError).not.toBe(RedriveError);
  expect(new copy.RedriveError('JOB_NOT_FOUND', 'gone')).toBeInstanceOf(RedriveError);
  expect(new Error('gone') instanceof RedriveError).toBe(false);
  for (const value of [null, undefined, 'gone', { code: 'JOB_NOT_FOUND' }] as unknown[])
    expect(value instanceof RedriveError).toBe(false);
});

test('every wrong field is named, also inside a union, whose closest branch speaks', () => {
  const schema = z.union([
    z.strictObject({ jobs: z.array(z.number()) }),
    z.strictObject({ jobType: z.string(), priority: z.number() }),
  ]);
  const fields = (value: unknown) => {
    try {
      parseOrThrow(schema, value, 'body');
      return [];
    } catch (error) {
      return error instanceof RedriveError ? error.fields.map((f) => f.field) : [String(error)];
    }
  };
  expect(fields({ jobType: 7, priority: 1 })).toEqual(['jobType']);
  expect(fields({ jobs: ['x'] })).toEqual(['jobs.0']);
  expect(fields({ jobType: 'a', priority: 1, colour: 'red' })).toEqual(['colour']);
  expect(fields({ jobType: 'a', priority: 1 })).toEqual([]);
});

test('S20: a value that cannot even be compared is one that is wrong, not a crash', () => {
  for (const odd of [{ length: { toString: {} } }, { length: { valueOf: 1, toString: null } }])
    expect(() => parseOrThrow(z.object({ reason: z.string().min(1) }), { reason: odd }, 'body')).toThrow(
      expect.objectContaining({ code: 'VALIDATION' }),
    );
});
