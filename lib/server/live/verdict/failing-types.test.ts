import { expect, it } from 'vitest';
import type { TypeRuns } from '@/lib/broker';
import { CALM_QUEUE } from '@/testing/worlds/queue-snapshot';
import { FailingTypes, failingType } from './failing-types';

const TEN_MINUTES = 600_000;
const runs = (...rows: [jobType: string, failed: number, claimed: number][]): TypeRuns[] =>
  rows.map(([jobType, failed, claimed]) => ({ jobType, failed, claimed }));
const BAD = runs(['email.send', 3, 150], ['webhook.deliver', 97, 100]);

it('D9: names the type that has most of the failed runs, and more of them than of all runs', () => {
  const now = TEN_MINUTES + 420_000;
  expect(failingType(BAD, now)).toEqual({ jobType: 'webhook.deliver', share: 0.97, windowMs: 420_000 });
  // The only type of a queue fails as the queue does.
  expect(failingType(runs(['webhook.deliver', 97, 100]), now)).toBeNull();
  expect(failingType(runs(['webhook.deliver', 90, 900], ['email.send', 10, 100]), now)).toBeNull();
  expect(failingType(runs(['webhook.deliver', 50, 100], ['email.send', 40, 300]), now)).toBeNull();
  expect(failingType(runs(['webhook.deliver', 9, 10], ['email.send', 0, 300]), now)).toBeNull();
  expect(failingType(runs(['*', 97, 100], ['email.send', 3, 150]), now)).toBeNull();
  expect(failingType([], now)).toBeNull();
  expect(failingType(BAD, TEN_MINUTES + 59_999)).toBeNull();
});

it('D9: reads failing queues only, every five seconds, and keeps a type while the counts begin anew', async () => {
  let answer = BAD;
  let reads = 0;
  const types = new FailingTypes(async () => {
    reads += 1;
    return answer;
  });
  const failing = {
    ...CALM_QUEUE,
    queue: 'default',
    rates: { ...CALM_QUEUE.rates, windowMs: 60_000, failedPerSecond: 1, failureRatio: 0.6 },
  };
  let now = TEN_MINUTES + 420_000;
  await types.look([CALM_QUEUE], now);
  expect([reads, types.types.size]).toEqual([0, 0]);
  await types.look([CALM_QUEUE, failing], now);
  await types.look([failing], now + 4_999);
  expect([reads, types.types.get('default')?.jobType]).toEqual([1, 'webhook.deliver']);
  answer = [];
  await types.look([failing], now + 60_000);
  expect(types.types.get('default')?.jobType).toBe('webhook.deliver');
  now += 120_000;
  await types.look([failing], now);
  expect([reads, types.types.size]).toEqual([3, 0]);
});
