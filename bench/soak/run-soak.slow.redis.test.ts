/** The soak itself (npm run soak), small: what a million jobs must give back, twenty thousand must, too. */
import { expect, it } from 'vitest';
import { sizesOf, soak } from './run-soak';

it('gives back what 20,000 jobs of all kinds took, in Redis and in the workers', {
  timeout: 90_000,
}, async () => {
  const { findings, memory } = await soak(sizesOf(20_000), () => undefined);
  expect(findings).toEqual([]);
  expect(memory.peakBytes).toBeGreaterThan(memory.endBytes);
});
