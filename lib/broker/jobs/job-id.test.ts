import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';

/** One that has made no ids yet: it remembers the latest time. */
let { timeOrderedId, timeOfId, idFrom }: typeof import('./job-id') = await import('./job-id');
beforeEach(async () => {
  vi.resetModules();
  ({ timeOrderedId, timeOfId, idFrom } = await import('./job-id'));
});

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const read = (text: string) => [...text].reduce((sum, letter) => sum * 32 + ALPHABET.indexOf(letter), 0);

describe('ids of jobs', () => {
  it('begin with their time, in base 32', () => {
    let latest = 0;
    const later = fc.integer({ min: 1, max: 2 ** 31 }).map((ms) => (latest += ms));
    fc.assert(
      fc.property(later, (nowMs) => {
        const id = timeOrderedId(nowMs);
        expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}r[0-9A-HJKMNP-TV-Z]{9}$/);
        expect(timeOfId(id)).toBe(nowMs);
      }),
    );
  });

  it('count up within a millisecond, also when the clock goes back, and sort in the order they were made', () => {
    const nowMs = 2 ** 45;
    const made = Array.from({ length: 5_000 }, (_, i) => timeOrderedId(nowMs - (i % 3)));
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
    const tails = made.map((id) => read(id.slice(11)));
    expect(tails.at(-1)).toBe((tails[0] ?? 0) + made.length - 1);
  });

  it('begin each millisecond at one of 2^44 places by chance, so that two processes differ', () => {
    const firsts = Array.from({ length: 1_000 }, (_, i) => timeOrderedId(2 ** 46 + i).slice(11));
    expect(new Set(firsts).size).toBe(firsts.length);
    expect(Math.max(...firsts.map(read))).toBeLessThan(2 ** 44);
  });

  it('M4: are told from every other id, so that only they have an age', () => {
    for (let i = 0; i < 2_000; i++) expect(timeOfId(idFrom('key', String(i)))).toBeNull();
    for (const own of [
      'order-42',
      '01700000000000000001',
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      timeOrderedId().toUpperCase(),
    ])
      expect(timeOfId(own), own).toBeNull();
  });
});
