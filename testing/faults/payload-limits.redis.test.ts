/** Bytes in are bytes out: nothing between enqueue and claim reads, parses or re-encodes a payload. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAYLOAD_MAX_BYTES } from '@/lib/contract/jobs/job-limits';
import { BY, claimOne, failure, setUpWorld } from '@/testing/worlds/world';

const world = await setUpWorld();

type Payload = string | Uint8Array<ArrayBuffer>;

/** Through every script that touches a row: enqueue, claim, fail, bury, re-drive, claim. */
async function thereAndBack(payload: Payload): Promise<{ claimed: Buffer; redriven: Buffer }> {
  const queue = world.freshQueue();
  await world.broker.enqueue(queue, { jobId: 'j', jobType: 'demo', payload });
  const first = await claimOne(world.broker, queue);
  await world.broker.fail(queue, [{ ...first, failure: failure() }]);
  await world.broker.redrive(queue, ['j'], BY);
  return { claimed: first.payload, redriven: (await claimOne(world.broker, queue)).payload };
}

async function expectSame(payload: Payload): Promise<void> {
  const expected = Buffer.from(payload as string);
  const { claimed, redriven } = await thereAndBack(payload);
  expect(claimed.equals(expected)).toBe(true);
  expect(redriven.equals(expected)).toBe(true);
}

describe('B32: a payload', () => {
  it('of any bytes comes back as the same bytes', async () => {
    const anyBytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      // Bytes that mean something to the row format, to Lua patterns, to RESP or to JSON.
      fc
        .array(fc.constantFrom(0, 10, 13, 32, 34, 37, 45, 58, 92, 123, 124, 125, 0x80, 0xc3, 0xed, 0xff), {
          maxLength: 60,
        })
        .map((bytes) => new Uint8Array(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(anyBytes, (bytes) => expectSame(new Uint8Array(bytes))),
      { numRuns: 150 },
    );
  });

  it('of any text comes back as its UTF-8', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.string({ unit: 'binary', maxLength: 80 }),
    );
    await fc.assert(fc.asyncProperty(text, expectSame), { numRuns: 100 });
  });

  it.each([
    ['a NUL', 'a\0b'],
    ['line breaks', '\n\n1 0 8 0 0 x 1 y\n{}\n'],
    ['2^53+1', '{"n":9007199254740993}'],
    ['an empty list', '[]'],
    ['an empty map', '{}'],
    ['1.0', '1.0'],
    ['deep nesting', '['.repeat(5_000)],
    ['no JSON at all', '{"a":'],
    ['a key that is a prototype', '{"__proto__":{"isAdmin":true}}'],
    ['nothing', ''],
  ])('with %s is not touched', (_, payload) => expectSame(payload));

  it('with lone surrogates is refused: UTF-8 has no bytes for half of a character', async () => {
    await expect(thereAndBack('a\ud800b\udfffc')).rejects.toMatchObject({
      code: 'VALIDATION',
      fields: [{ field: 'payload', message: expect.stringContaining('half of a character') }],
    });
  });

  it('that is not UTF-8 is shown as base64, and says so', async () => {
    const queue = world.freshQueue();
    const payload = Buffer.from([0xff, 0xfe, 0x00]);
    await world.broker.enqueue(queue, { jobId: 'j', jobType: 'demo', payload });
    expect(await world.broker.inspect.job(queue, 'j')).toMatchObject({
      payloadIsText: false,
      payloadBytes: 3,
      payload: payload.toString('base64'),
    });
  });

  it.each(['x', 'é', '😀'])('B33: may have 64 KiB of %s and not a byte more', async (letter) => {
    const size = Buffer.byteLength(letter);
    const fits = letter.repeat(PAYLOAD_MAX_BYTES / size);
    await expectSame(fits);
    const queue = world.freshQueue();
    await expect(world.broker.enqueue(queue, { jobType: 'demo', payload: `${fits}x` })).rejects.toMatchObject(
      {
        code: 'PAYLOAD_TOO_LARGE',
        message: expect.stringMatching(/65537 bytes; at most 65536.*payloadRef/),
        fields: [{ field: 'payload' }],
      },
    );
    await expect(
      world.broker.enqueue(queue, { jobType: 'demo', payload: Buffer.from(`${fits}x`) }),
    ).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(await world.redis.exists(world.column(queue, 'jobs'))).toBe(0);
  });

  it('that is too large stops the whole batch before any of it is sent', async () => {
    const queue = world.freshQueue();
    const batch = [{ jobType: 'demo' }, { jobType: 'demo', payload: 'x'.repeat(PAYLOAD_MAX_BYTES + 1) }];
    await expect(world.broker.enqueueMany(queue, batch)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(await world.redis.exists(world.column(queue, 'jobs'))).toBe(0);
  });
});
