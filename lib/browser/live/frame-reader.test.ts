/** Frame after frame, what did not change is the same object: nothing is validated, put into the cache or rendered again. */
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Frame, frameSchema } from '@/lib/contract/live/live-frame';
import type { Overview } from '@/lib/contract/queues/queue-schemas';
import { calmFrame, streamed } from '@/testing/pages/calm-frames';
import { keys } from '../api/query-keys';
import { applyFrame } from './apply-frame';
import { createFrameReader } from './frame-reader';
import { createKeptReader } from './kept-reader';
import type { QueueView } from './queue-view';

const FRAMES = 20;
test('parts without a change stay the same objects, in the frame and in the cache', () => {
  const reader = createFrameReader(frameSchema);
  const client = new QueryClient();
  let first: { frame: Frame; overview: Overview; queue: unknown } | null = null;
  for (const { event, data } of streamed(Array.from({ length: FRAMES }, (_, i) => calmFrame(i + 1)))) {
    const frame = reader.read(event, data);
    if (!frame) throw new Error('A frame could not be read.');
    applyFrame(client, frame, ['a']);
    const overview = client.getQueryData<Overview>(keys.overview());
    if (!overview) throw new Error('The cache has no overview.');
    const { queue } = client.getQueryData<QueueView>(keys.queueNumbers('a')) ?? {};
    expect(overview.at).toBe(frame.overview.at);
    first ??= { frame, overview, queue };
    expect(frame.overview.verdict).toBe(first.frame.overview.verdict);
    expect(frame.overview.sums).toBe(first.frame.overview.sums);
    expect(frame.watched[0]?.counts).toBe(first.frame.watched[0]?.counts);
    expect(frame.workers.workers).toBe(first.frame.workers.workers);
    for (const [i, row] of frame.overview.queues.entries()) expect(row).toBe(first.frame.overview.queues[i]);
    expect(overview.queues).toBe(first.overview.queues);
    expect(overview.verdict).toBe(first.overview.verdict);
    expect(queue).toBe(first.queue);
  }
});

test('a queue that changes leaves the others as they are, and its age goes on', () => {
  const reader = createFrameReader(frameSchema);
  const read = [...streamed([calmFrame(1), calmFrame(2, 5), calmFrame(3, 5)])].map(({ event, data }) =>
    reader.read(event, data),
  );
  expect(read).toEqual([calmFrame(1), calmFrame(2, 5), calmFrame(3, 5)]);
  const [before, , after] = read.map((frame) => frame?.overview.queues ?? []);
  expect(after?.[0]).toBe(before?.[0]);
  expect(after?.[1]).toBe(before?.[1]);
  expect(after?.[2]).not.toEqual(before?.[2]);
});

test('a change to something that is no frame is refused, however deep it is', () => {
  const frame = calmFrame(1);
  for (const patch of [
    { rows: { b: { counts: { ready: 'many' } } } },
    { watched: { a: { level: 'fine' } } },
    { workers: { workers: [[{}]] } },
    { overview: { redis: [null] } },
  ]) {
    const reader = createFrameReader(frameSchema);
    for (const { event, data } of streamed([frame])) expect(reader.read(event, data)).toEqual(frame);
    expect(
      reader.read('change', JSON.stringify({ sequence: 2, base: 1, patch })),
      JSON.stringify(patch),
    ).toBeNull();
  }
});

test('what is read part by part is what the schema reads at once', () => {
  const schema = z.object({
    plain: z.array(z.object({ n: z.number(), text: z.string().optional() })).default([]),
    strict: z.strictObject({ a: z.number() }).nullable(),
    short: z.array(z.number()).max(2),
    together: z.object({ low: z.number(), high: z.number() }).refine(({ low, high }) => low <= high),
    record: z.record(z.string(), z.object({ n: z.number() })),
    either: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('x') }),
      z.object({ kind: z.literal('y') }),
    ]),
    late: z
      .string()
      .transform((text) => text.length)
      .optional(),
  });
  const good = {
    strict: null,
    short: [1, 2],
    together: { low: 1, high: 2 },
    record: { r: { n: 1, extra: 1 } },
    either: { kind: 'x', extra: 1 },
    extra: true,
  };
  const values: unknown[] = [
    good,
    {
      ...good,
      late: 'four',
      plain: [
        { n: 1, extra: 2 },
        { n: 2, text: 't' },
      ],
      strict: { a: 1 },
    },
    { ...good, strict: { a: 1, b: 2 } },
    { ...good, short: [1, 2, 3] },
    { ...good, together: { low: 3, high: 2 } },
    { ...good, plain: { 0: { n: 1 } } },
    { ...good, plain: [[1]] },
    { ...good, either: { kind: 'z' } },
    [],
    null,
  ];
  const read = createKeptReader(schema);
  for (const value of values) {
    const { success, data } = schema.safeParse(value);
    if (success) {
      expect(read(value)).toStrictEqual(data);
      expect(read(value)).toBe(read(value));
    } else expect(() => read(value), JSON.stringify(value)).toThrow();
  }
});
