import { expect, it } from 'vitest';
import { TokenBucket } from './token-bucket';

const RATE = { perSecond: 10, burst: 5 };

it('gives its burst, then one token per interval, and says how long to wait', () => {
  const bucket = new TokenBucket(RATE.burst, 0);
  for (let taken = 0; taken < RATE.burst; taken++) expect(bucket.take(RATE, 0)).toBe(0);
  expect(bucket.take(RATE, 0)).toBe(100);
  expect(bucket.take(RATE, 50)).toBe(50);
  expect(bucket.take(RATE, 100)).toBe(0);
  expect(bucket.take(RATE, 60_000, 5)).toBe(0);
  expect(bucket.take(RATE, 60_000, 3)).toBe(300);
});

it('earns nothing from a clock that goes back a little, and follows one that goes back far', () => {
  const little = new TokenBucket(0, 5_000);
  little.refill(RATE, 4_500);
  expect(little).toEqual({ tokens: 0, atMs: 5_000 });
  const far = new TokenBucket(0, 3_600_000);
  far.refill(RATE, 2_000);
  expect(far).toEqual({ tokens: 0, atMs: 2_000 });
});
