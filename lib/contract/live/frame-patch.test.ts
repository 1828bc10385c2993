/** A change, applied to what it is a change of, gives what it leads to; and it is small. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CALM_QUEUE, rowsOf } from '@/testing/worlds/queue-snapshot';
import { createFrameUnpacker, packFrame, patchOf, withPatch } from './frame-patch';
import type { Frame } from './live-frame';

const json = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 })) as fc.Arbitrary<
  Record<string, unknown>
>;
const sent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

describe('a change', () => {
  test('leads from any value to any other, as it is sent', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const [before, after] = [sent(a), sent(b)];
        const patch = patchOf(before, after);
        expect(patch ? withPatch(before, sent(patch)) : before).toEqual(after);
      }),
      {
        examples: [
          [{ a: [] }, { a: {} }],
          [{ a: null }, { a: [null] }],
          [{ a: [[]] }, { a: [[1]] }],
        ],
      },
    );
  });

  test('has nothing of what is the same, and leaves it as it is', () => {
    const before = { same: { deep: [1, 2] }, list: [{ a: 1 }, { b: 2 }], gone: 1 };
    const after = { same: { deep: [1, 2] }, list: [{ a: 1 }, { b: 3 }] };
    const patch = patchOf(before, after);
    expect(patch).toEqual({ list: { 1: { b: 3 } }, gone: [] });
    const now = withPatch(before, patch ?? {});
    expect(now.same).toBe(before.same);
    expect(now.list[0]).toBe(before.list[0]);
    expect(patchOf(after, sent(after))).toBeUndefined();
  });
});

const frameAt = (at: number, names: readonly string[]): Frame => ({
  overview: {
    at,
    ageMs: 0,
    fresh: true,
    redis: { version: '7', roundTripMs: 1, usedMemoryBytes: 1, error: null },
    verdict: { level: 'ok', total: { bad: 0, warn: 0 }, findings: [] },
    ...rowsOf(
      names.map((queue) => ({
        ...CALM_QUEUE,
        queue,
        at,
        oldestReadyAgeMs: at - 1_000,
        overdueLeaseMs: at - 5_000,
      })),
    ),
  },
  watched: [{ ...CALM_QUEUE, queue: 'a', at }],
  workers: { at, workers: [] },
  operations: [],
});

describe('a packed frame', () => {
  test('unpacks to the same frame', () => {
    const frame = frameAt(9_000, ['b', 'a']);
    expect(createFrameUnpacker()(sent(packFrame(frame)))).toEqual(frame);
  });

  test('a queue whose jobs only grow older does not change, and one that moves up takes its place', () => {
    const [before, later, moved] = [
      frameAt(9_000, ['b', 'a']),
      frameAt(10_000, ['b', 'a']),
      frameAt(10_000, ['a', 'b']),
    ].map(packFrame);
    if (!before || !later || !moved) throw new Error('unreachable');
    expect(patchOf(before, later)).not.toHaveProperty('rows');
    const patch = patchOf(before, moved) ?? {};
    expect(patch).not.toHaveProperty('rows');
    expect(createFrameUnpacker()(withPatch(before, patch)).overview).toEqual(
      frameAt(10_000, ['a', 'b']).overview,
    );
  });
});
