import { describe, expect, it } from 'vitest';
import { BUCKETS_MS } from '../queues/percentile';
import { decodeRow, emptyRow, encodeRow } from './row-codec';

describe('a row of the history', () => {
  it('comes back as it was: depths and counts exactly, ages and histograms within 7 %', () => {
    for (const scale of [0, 1, 7, 8, 127, 128, 16_384, 1_000_000_000]) {
      const row = emptyRow({ ready: scale, inFlight: 0, scheduled: 1, retry: scale * 3, held: 0, dead: 5 });
      row.oldestAgeMs = scale;
      row.counts = { arrivals: scale, completed: 0, failed: scale + 1, lost: 2, died: scale };
      row.run = BUCKETS_MS.map((_, i) => (i % 2 ? scale : 0));
      row.wait = BUCKETS_MS.map((_, i) => scale * i);
      row.workers = scale;
      row.runSpan = { leastMs: scale, mostMs: scale * 3 };
      const back = decodeRow(encodeRow(row));
      expect(back).toMatchObject({ depths: row.depths, counts: row.counts, workers: scale });
      const pairs: [number, number][] = [[back?.oldestAgeMs ?? -1, row.oldestAgeMs]];
      for (const kind of ['run', 'wait'] as const)
        row[kind].forEach((value, i) => {
          pairs.push([back?.[kind][i] ?? -1, value]);
        });
      const { leastMs = -1, mostMs = -1 } = back?.runSpan ?? {};
      // Outwards.
      expect([leastMs <= scale, leastMs >= scale * 0.85 - 1]).toEqual([true, true]);
      expect([mostMs >= scale * 3, mostMs <= scale * 3 * 1.15 + 1]).toEqual([true, true]);
      for (const [is, was] of pairs) expect(Math.abs(is - was)).toBeLessThanOrEqual(was * 0.07);
    }
  });

  it('of a quiet minute is two bytes, with its depths unknown or all 0', () => {
    expect(encodeRow(emptyRow()).length).toBe(2);
    expect(decodeRow(encodeRow(emptyRow()))?.depths).toBeNull();
    expect(decodeRow(Buffer.alloc(0))).toBeNull();
  });
});
