import { expect, it } from 'vitest';
import type { Preview } from '@/lib/contract/operations/operation-preview';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { goesOnSentence } from './goes-on-sentence';

const NOW = 10_000_000;
const died = (msAgo: number, state: 'dead' | 'trashed' = 'dead') =>
  ({ scope: { state, q: '' }, samples: [{ stateAt: NOW - msAgo }] }) as unknown as Preview;
const queue = (failureRatio: number | null, failedPerSecond: number) => ({
  queue: 'mail',
  rates: { ...CALM_QUEUE.rates, failureRatio, failedPerSecond, windowMs: 60_000 },
});

it.each([
  ['both', died(1_000), queue(0.7, 3), 'Last death 1 s ago. 70% of runs in mail failed in the last minute.'],
  ['a death of just now', died(1_000), queue(null, 0), 'Last death 1 s ago.'],
  [
    'runs that fail, though the last death was earlier',
    died(600_000),
    queue(0.7, 3),
    'Last death 10 m ago. 70% of runs in mail failed in the last minute.',
  ],
  ['an old death and a calm queue', died(600_000), queue(0.01, 3), null],
  ['a few failed runs, which are chance', died(600_000), queue(1, 0.1), null],
  ['a job that came to the trash just now', died(1_000, 'trashed'), queue(null, 0), null],
])('of %s', (_, preview, of, sentence) => {
  expect(goesOnSentence(preview, [of], NOW)).toBe(sentence);
});
