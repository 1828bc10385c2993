import { expect, it } from 'vitest';
import type { Pause } from '@/lib/contract/queues/pause-schemas';
import { FIRST_QUEUES } from '@/lib/contract/queues/queue-limits';
import type { Overview, Verdict } from '@/lib/contract/queues/queue-schemas';
import { CALM_QUEUE, rowsOf } from '@/testing/worlds/queue-snapshot';
import { firstScreen } from './first-screen';

const PAUSE: Pause = { scope: 'queue', since: 0, until: null, actor: 'ann', reason: 'r'.repeat(500) };

const findingOf = (queue: string): Verdict['findings'][number] => ({
  id: queue,
  level: 'bad',
  code: 'ledger',
  queue,
  queues: { total: 1, named: [queue] },
  sentence: `The ledger of ${queue} does not balance.`,
  evidence: null,
  actions: [],
});

/** Every queue is paused, and has a finding of its own. */
function overviewOf(queues: number): Overview {
  const names = Array.from({ length: queues }, (_, i) => `q${String(i).padStart(99, '0')}`);
  const findings = names.map(findingOf);
  return {
    at: 0,
    ageMs: 0,
    fresh: true,
    redis: { version: null, roundTripMs: null, usedMemoryBytes: null, error: null },
    verdict: { level: 'bad', total: { bad: queues, warn: 0 }, findings },
    ...rowsOf(names.map((queue) => ({ ...CALM_QUEUE, queue, pauses: [PAUSE] }))),
  };
}

it('is as large for 500 queues as for 50, and its totals are those of everything', () => {
  const [few, many] = [firstScreen(overviewOf(50)), firstScreen(overviewOf(500))];
  expect(many.queues).toHaveLength(FIRST_QUEUES);
  expect(many.total).toBe(500);
  expect(many.sums.pauses.total).toBe(500);
  expect(JSON.stringify(many).length - JSON.stringify(few).length).toBeLessThan(100);
});

it('leaves a small overview as it is', () => {
  const small = overviewOf(3);
  expect(firstScreen(small)).toEqual(small);
});
