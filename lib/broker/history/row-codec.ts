/** A row of the history as lib/broker/lua/history/row_codec.lua packs it: 16 bits that say what follows, then varints. */
import { COUNTS, DEPTHS } from '@/lib/contract/history/history-ranges';
import { BUCKETS_MS, type RunSpan } from '../queues/percentile';

export type Depths = Record<(typeof DEPTHS)[number], number>;
export type Counts = Record<(typeof COUNTS)[number], number>;
export interface HistoryRow {
  /** Null: not known. */
  depths: Depths | null;
  /** Of the oldest ready job; 0 when the depths are not known. */
  oldestAgeMs: number;
  counts: Counts;
  /** Runs and waits by `BUCKETS_MS`, each rounded to 7 %. */
  run: number[];
  wait: number[];
  /** Of a sample of the runs, rounded outwards. */
  runSpan: RunSpan | null;
  /** Live workers; null: not in this row. */
  workers: number | null;
}

/** A rounded bound stays in the bucket that it ends. */
const OUTWARDS = 1.07;
const DEPTHS_KNOWN = 0;
const AGE = 7;
const [RUN, WAIT, WORKERS] = [13, 14, 15];

export function encodeRow(row: HistoryRow): Buffer {
  let bits = 0;
  const bytes: number[] = [0, 0];
  const put = (bit: number, parts: readonly number[]) => {
    bits |= 1 << bit;
    bytes.push(...parts);
  };
  const { depths } = row;
  if (depths) {
    put(DEPTHS_KNOWN, []);
    DEPTHS.forEach((name, i) => {
      if (depths[name] > 0) put(1 + i, varint(depths[name]));
    });
    if (row.oldestAgeMs >= 1) put(AGE, [roundToByte(row.oldestAgeMs)]);
  }
  COUNTS.forEach((name, i) => {
    if (row.counts[name] > 0) put(8 + i, varint(row.counts[name]));
  });
  for (const [bit, histogram] of [
    [RUN, row.run],
    [WAIT, row.wait],
  ] as const) {
    const first = histogram.findIndex((count) => count >= 1);
    const filled = histogram.slice(first, histogram.findLastIndex((count) => count >= 1) + 1);
    if (first >= 0) put(bit, [16 * first + filled.length, ...filled.map(roundToByte)]);
  }
  if (row.workers !== null) put(WORKERS, varint(row.workers));
  if (row.runSpan)
    bytes.push(roundToByte(row.runSpan.leastMs / OUTWARDS), roundToByte(row.runSpan.mostMs * OUTWARDS));
  bytes[0] = bits & 255;
  bytes[1] = (bits >> 8) & 255;
  return Buffer.from(bytes);
}

/** @returns null for a row that is not ours */
export function decodeRow(bytes: Buffer): HistoryRow | null {
  if (bytes.length < 2) return null;
  const bits = bytes.readUInt16LE(0);
  let at = 2;
  const has = (bit: number) => ((bits >> bit) & 1) === 1;
  const byte = () => bytes[at++] ?? 0;
  const number = () => {
    let [value, factor] = [0, 1];
    for (;;) {
      const part = byte();
      value += (part % 128) * factor;
      if (part < 128) return value;
      factor *= 128;
    }
  };
  const depths = has(DEPTHS_KNOWN) ? recordOf(DEPTHS, (i) => (has(1 + i) ? number() : 0)) : null;
  const oldestAgeMs = has(AGE) ? ofByte(byte()) : 0;
  const counts = recordOf(COUNTS, (i) => (has(8 + i) ? number() : 0));
  const histogram = (bit: number) => {
    const range = has(bit) ? byte() : 0;
    const first = range >> 4;
    return BUCKETS_MS.map((_, i) => (i >= first && i < first + (range & 15) ? ofByte(byte()) : 0));
  };
  const run = histogram(RUN);
  const wait = histogram(WAIT);
  const workers = has(WORKERS) ? number() : null;
  const runSpan = at < bytes.length ? { leastMs: ofByte(byte()), mostMs: ofByte(byte()) } : null;
  return { depths, oldestAgeMs, counts, run, wait, runSpan, workers };
}

export const emptyRow = (depths: Depths | null = null): HistoryRow => ({
  depths,
  oldestAgeMs: 0,
  counts: recordOf(COUNTS, () => 0),
  run: BUCKETS_MS.map(() => 0),
  wait: BUCKETS_MS.map(() => 0),
  runSpan: null,
  workers: null,
});

export const recordOf = <K extends string>(names: readonly K[], value: (i: number, name: K) => number) =>
  Object.fromEntries(names.map((name, i) => [name, value(i, name)])) as Record<K, number>;

function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = Math.floor(value);
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push(128 + (left % 128));
  return [...bytes, left];
}

/** 0–7 as they are; above, three bits and an exponent. */
function roundToByte(value: number): number {
  if (value < 8) return Math.floor(value);
  const shift = Math.floor(Math.log2(value)) - 3;
  return Math.min(255, 8 * shift + Math.floor(value / 2 ** shift + 0.5));
}

/** The number that a byte of an age or a histogram stands for. */
export function ofByte(byte: number): number {
  if (byte < 16) return byte;
  const shift = Math.floor(byte / 8) - 1;
  return (byte - 8 * shift) * 2 ** shift;
}
