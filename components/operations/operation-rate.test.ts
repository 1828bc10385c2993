import { describe, expect, it } from 'vitest';
import { readTyped } from '@/lib/browser/api/read-typed';
import { operationChangeSchema } from '@/lib/contract/operations/operation-request';
import {
  describeRate,
  type OperationRateDraft,
  RATE_SENTENCES,
  toRate,
  toRateDraft,
  UNLIMITED,
} from './operation-rate';

function readRate(draft: OperationRateDraft) {
  const { request, problems } = readTyped(operationChangeSchema, { rate: toRate(draft) }, RATE_SENTENCES);
  return { rate: request?.rate ?? null, error: problems.rate };
}

describe('operation rate', () => {
  it('reads what a user types', () => {
    expect(readRate(UNLIMITED).rate).toEqual({ perSecond: null, keepReadyBelow: null });
    expect(readRate({ ...UNLIMITED, mode: 'rate', rate: '600/min' }).rate).toEqual({
      perSecond: 10,
      keepReadyBelow: null,
    });
    expect(readRate({ ...UNLIMITED, mode: 'drain', below: '1 000' }).rate).toEqual({
      perSecond: null,
      keepReadyBelow: 1_000,
    });
  });
  it.each([
    { mode: 'rate', rate: '0' },
    { mode: 'rate', rate: 'fast' },
    { mode: 'rate', rate: '100001' },
    { mode: 'drain', below: '0' },
    { mode: 'drain', below: '1.5' },
    { mode: 'drain', below: '' },
  ] as const)('refuses %o with a sentence', (draft) => {
    const { rate, error } = readRate({ ...UNLIMITED, ...draft });
    expect(rate).toBeNull();
    expect(error).toMatch(/^Give a .*\.$/);
  });
  it.each([
    { perSecond: null, keepReadyBelow: null },
    { perSecond: 2.5, keepReadyBelow: null },
    { perSecond: null, keepReadyBelow: 500 },
  ])('survives a round trip: %o', (rate) => expect(readRate(toRateDraft(rate)).rate).toEqual(rate));
  it('says it in words', () => {
    expect(describeRate({ perSecond: null, keepReadyBelow: null })).toBe('no limit');
    expect(describeRate({ perSecond: 50, keepReadyBelow: 1_000 })).toBe(
      'at most 50/s, waits while 1,000 or more are ready',
    );
  });
});
