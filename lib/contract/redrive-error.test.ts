import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { enqueueRequestSchema, enqueueSchema } from './jobs/envelope';
import { parseOrThrow } from './parse-or-throw';
import { pauseScopeSchema } from './queues/pause-schemas';
import { RedriveError } from './redrive-error';

test('an error of another copy of this module is one of ours', async () => {
  // Routes and instrumentation are separate bundles of one process: each has its own class.
  vi.resetModules();
  const copy = await import('./redrive-error');
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

const fieldsOf = (schema: Parameters<typeof parseOrThrow>[0], value: unknown): string[] => {
  try {
    parseOrThrow(schema, value, 'body');
    return [];
  } catch (error) {
    return error instanceof RedriveError ? error.fields.map(({ field }) => field).sort() : [String(error)];
  }
};

describe('F5: of what may be one thing or another, the one that was meant is spoken of', () => {
  test.each([
    ['a job with its type under another name', { type: 'a', payload: 1 }, ['jobType', 'type']],
    ['a job without anything', {}, ['jobType']],
    ['a job with fields that are none', { jobType: 'a', a: 1, b: 2, c: 3 }, ['a', 'b', 'c']],
    ['a batch that is no list', { jobs: 5 }, ['jobs']],
    ['a batch of nothing', { jobs: [] }, ['jobs']],
    [
      'a job of a batch with its type under another name',
      { jobs: [{ type: 'a' }] },
      ['jobs.0.jobType', 'jobs.0.type'],
    ],
    ['a batch with a field beside it', { jobs: [{ jobType: 'a' }], reason: 'x' }, ['reason']],
    ['no object', 'x', ['body']],
  ])('F5: %s', (_, body, fields) => {
    expect(fieldsOf(enqueueRequestSchema, body)).toEqual(fields);
  });

  test('F5: the scope of a pause', () => {
    expect(fieldsOf(pauseScopeSchema, 'tenat:a')).toEqual(['body']);
  });
});

test.each([
  ['seconds', 1_763_800_000, /notBefore: looks like seconds: times are in milliseconds/],
  ['microseconds', 1_763_800_000_000_000, /notBefore: is beyond the year 2200/],
])('F5: a time in %s is refused', (_, notBefore, sentence) => {
  expect(() => parseOrThrow(enqueueSchema, { jobType: 'a', notBefore }, 'job')).toThrow(sentence);
  const inMs = { jobType: 'a', notBefore: 1_763_800_000_000 };
  expect(parseOrThrow(enqueueSchema, inMs, 'job').notBefore).toBe(1_763_800_000_000);
});
