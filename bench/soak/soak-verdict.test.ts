import { describe, expect, it } from 'vitest';
import { judgeHeaps, judgeKeys, judgeMemory, judgeMix } from './soak-verdict';

const kept = { completed: 1_000, dead: 10, suppressed: 2 };
const key = (name: string, size: number) => ({ name, type: 'hash', size, bytes: 100 });
const heap = (heldBytes: number) => ({ heldBytes, rssBytes: 0 });
const memory = (change: object = {}) => ({
  baselineBytes: 1e6,
  peakBytes: 40e6,
  retainedBytes: 5e6,
  afreshBytes: 4.9e6,
  endBytes: 6.2e6,
  ...change,
});

describe('the judge of a soak', () => {
  it('has nothing to say when only the retained set is left', () => {
    const left = [key('rd:{soak}:jobs', 1_012), key('rd:{soak}:deadBy', 50), key('rd:queues', 1)];
    left.push(key('rd:{.preview.0123456789012345678901234567890123456789}', 900));
    expect(judgeKeys(left, kept, 5)).toEqual([]);
    expect(judgeMemory(memory())).toEqual([]);
    expect(judgeHeaps([{ name: 'w', start: heap(1e6), end: heap(20e6) }])).toEqual([]);
    expect(judgeMix({ dead: 1 })).toEqual([]);
  });

  it.each([
    ['a key of nobody', key('rd:job:s1', 1), /none of ours/],
    ['a row too many', key('rd:{soak}:history', 1_013), /1013 rows, and may have 1012/],
    ['what must be gone', key('rd:{soak}:unique', 1), /may have 0/],
    ['another queue', key('rd:{other}:jobs', 1), /none of ours/],
    ['a mark of once', key('rd:{.once.0123456789012345678901234567890123456789}', 9), /none of ours/],
  ])('finds %s', (_, left, sentence) => {
    expect(judgeKeys([left], kept, 5)).toEqual([expect.stringMatching(sentence)]);
  });

  it('finds memory that did not come back, in Redis and in a process, and a mix that did not happen', () => {
    expect(judgeMemory(memory({ endBytes: 10.1e6 }))).toEqual([expect.stringMatching(/beyond baseline/)]);
    expect(judgeMemory(memory({ afreshBytes: 0.9e6 }))).toEqual([expect.stringMatching(/afresh/)]);
    expect(judgeHeaps([{ name: 'w', start: heap(1e6), end: heap(21.1e6) }])).toEqual([
      expect.stringMatching(/^w holds 20.10 MB more/),
    ]);
    expect(judgeMix({ dead: 0 })).toEqual(['Nothing was dead.']);
  });
});
