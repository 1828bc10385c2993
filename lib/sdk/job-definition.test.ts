import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineHandler, MalformedError } from '@/lib/worker';
import { createWorker } from './client-worker';
import { createClient } from './create-client';
import { defineJob, jobInput } from './job-definition';
import { runHandler } from './run-handler';

const invoice = z.strictObject({ invoiceId: z.string(), cents: z.number().int() });
const send = defineJob({ type: 'invoice.send', version: 3, schema: invoice });
const sends = defineHandler({ ...send, run: ({ cents }) => cents / 100 });

describe('jobInput', () => {
  it('makes a job of a definition, or of the handler made from it', () => {
    const payload = { invoiceId: 'in_1', cents: 100 };
    const expected = { jobType: 'invoice.send', jobVersion: 3, payload: JSON.stringify(payload) };
    expect(jobInput(send, payload)).toEqual(expected);
    expect(jobInput(sends, payload, { priority: 5 })).toEqual({ ...expected, priority: 5 });
  });

  it('enqueues the newest version a handler knows', () => {
    const both = defineHandler({ type: 't', versions: [2, 11, 3], schema: z.null(), run: () => undefined });
    expect(jobInput(both, null).jobVersion).toBe(11);
  });

  it('names the field of a payload its handler would refuse', () => {
    // @ts-expect-error: the compiler says so, too
    expect(() => jobInput(send, { invoiceId: 'in_1', cents: '1' })).toThrow(/payload is not valid: cents: /);
    // @ts-expect-error: a field is missing
    expect(() => jobInput(sends, { invoiceId: 'in_1' })).toThrow(/cents/);
    expect(() => jobInput(send, { invoiceId: 'in_1', cents: Number.NaN })).toThrow(/cents/);
  });

  it('judges what the handler will read, not what the producer held', () => {
    const dated = defineJob({ type: 't', schema: z.object({ at: z.date() }) });
    expect(() => jobInput(dated, { at: new Date() })).toThrow(/at: .*expected date/);
    const coerced = defineJob({ type: 't', schema: z.object({ at: z.coerce.date() }) });
    expect(jobInput(coerced, { at: new Date(0) }).payload).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
  });

  it('sends what it was given, before defaults and transforms: the handler applies them', () => {
    const trimmed = defineJob({
      type: 't',
      schema: z.object({ name: z.string().trim(), n: z.number().default(1) }),
    });
    expect(jobInput(trimmed, { name: ' a ' }).payload).toBe('{"name":" a "}');
  });

  it.each([
    [
      'a circle',
      () => {
        const a: unknown[] = [];
        a.push(a);
        return a;
      },
      /a bigint or a circle/,
    ],
    ['a bigint', () => 1n, /a bigint or a circle/],
    [
      'a broken toJSON',
      () => ({
        toJSON: () => {
          throw new RangeError('x');
        },
      }),
      /its toJSON failed/,
    ],
  ])('says why %s cannot be sent', (_, make, sentence) => {
    expect(() => jobInput(defineJob({ type: 't', schema: z.unknown() }), make())).toThrow(sentence);
  });

  it('may have no payload when the schema has none', () => {
    const tick = defineJob({ type: 'tick', schema: z.undefined() });
    expect(jobInput(tick, undefined).payload).toBeUndefined();
  });
});

describe('F5: options that mean nothing are refused, each by its name', () => {
  const schema = z.undefined();
  const run = () => undefined;
  // A program in JavaScript has no compiler that would say so before.
  const define = defineHandler as (definition: object) => ReturnType<typeof defineHandler>;
  const worker = createWorker as unknown as (options: object) => void;
  const handlers = [defineHandler({ type: 'tick', schema, run })];
  const plain = { url: 'redis://127.0.0.1:1', queues: { a: 1 }, concurrency: 1, handlers };

  it.each<[string, () => unknown, RegExp]>([
    [
      'a job type with a space',
      () => defineJob({ type: 'send mail', schema }),
      /type: must start with a letter/,
    ],
    ['a version of none', () => defineJob({ type: 'a', schema, version: 0 }), /version: /],
    [
      'a job without a schema',
      () => (defineJob as (of: object) => void)({ type: 'a' }),
      /schema: must be a zod schema/,
    ],
    [
      'a handler of a type with a space',
      () => define({ type: 'send mail', schema, run }),
      /type: must start/,
    ],
    [
      'a misspelt part of a handler',
      () => define({ type: 'a', schema, run, timeout: 5 }),
      /timeout: is not a field here/,
    ],
    ['a handler that does nothing', () => define({ type: 'a', schema }), /run: must be a function/],
    [
      'a breaker without sense',
      () => define({ type: 'a', schema, run, breaker: { failures: 1 } }),
      /breaker\.failures: is not a field/,
    ],
    [
      'version and versions',
      () => define({ type: 'a', schema, run, version: 1, versions: [1] }),
      /either version or versions/,
    ],
    ['no handlers', () => worker({ ...plain, handlers: [] }), /handlers: give at least one handler/],
    [
      'a handler made by hand',
      () => worker({ ...plain, handlers: [{ type: 'a', run }] }),
      /handlers\.0: must be made by defineHandler/,
    ],
    [
      'a misspelt option of a worker',
      () => worker({ ...plain, concurency: 5 }),
      /concurency: is not a field here/,
    ],
    [
      'a logger that cannot log',
      () => worker({ ...plain, logger: console.log }),
      /logger: must have the methods/,
    ],
    [
      'a listener that cannot be called',
      () => worker({ ...plain, onEvent: 'x' }),
      /onEvent: must be a function/,
    ],
    [
      'a misspelt option of a client',
      () => createClient({ ulr: 'x', url: plain.url } as object),
      /ulr: is not a field here/,
    ],
    ['a client without an address', () => createClient({}), /url: give either url .* or redis/],
    [
      'two connections',
      () => createClient({ url: plain.url, redis: {} } as object),
      /url: give either url .* or redis/,
    ],
    [
      'a file of TLS that is not known',
      () => createClient({ url: plain.url, tls: { ca: 'x' } } as object),
      /tls\.ca: is not a field here/,
    ],
  ])('F5: %s', (_, make, sentence) => {
    expect(make).toThrow(sentence);
  });
});

describe('runHandler', () => {
  it('runs a handler on a payload as it would arrive', async () => {
    await expect(runHandler(sends, { invoiceId: 'in_1', cents: 250 })).resolves.toBe(2.5);
    await expect(runHandler(sends, { invoiceId: 'in_1' })).rejects.toThrow(MalformedError);
  });

  it('shows the handler the run the test describes', async () => {
    const looks = defineHandler({
      ...send,
      run: (_, { attempt, job, signal }) => [attempt, job.tenantId, job.jobVersion, signal.aborted],
    });
    const payload = { invoiceId: 'in_1', cents: 1 };
    await expect(runHandler(looks, payload)).resolves.toEqual([1, 'default', 3, false]);
    const run = { attempt: 4, job: { tenantId: 'acme' }, signal: AbortSignal.abort() };
    await expect(runHandler(looks, payload, run)).resolves.toEqual([4, 'acme', 3, true]);
  });
});
