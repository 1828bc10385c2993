/** How many entries programs leave that enqueue over HTTP all day. */
import { expect, it } from 'vitest';
import { FoldBuffer, FoldedEvents } from '@/lib/broker/audit/intake/fold-enqueues';
import type { PendingEvent } from '@/lib/broker/audit/pending-events';
import { CHANGES_AN_HOUR } from './change-quota';

const MINUTE_MS = 60_000;
const HOURS = 6;

const record = (queue: string, at: number): PendingEvent => ({
  id: `${at}-0`,
  count: 1,
  owner: 'local:ann',
  isTooLarge: false,
  draft: {
    at,
    actor: 'ci (token of ann)',
    actorId: 'token:ci',
    method: 'token',
    via: 'ci',
    address: '10.0.0.1',
    action: 'job.enqueue',
    result: 'done',
    code: null,
    object: { kind: 'queue', id: queue },
    queue,
    shard: null,
    filter: null,
    reason: null,
    before: null,
    after: null,
    count: 1,
    requestId: null,
    source: queue,
  },
});

/** One record a queue and minute, for six hours. How many entries it left in each hour. */
function entriesByHour(queues: number): number[] {
  let nowMs = 0;
  const holding = new FoldBuffer(() => nowMs);
  const waiting = new Map<string, FoldedEvents>();
  const hours = Array<number>(HOURS).fill(0);
  for (let minute = 0; minute < 60 * HOURS; minute++) {
    nowMs = minute * MINUTE_MS;
    for (let i = 0; i < queues; i++) {
      const place = `queue-${i}`;
      const run = waiting.get(place) ?? new FoldedEvents();
      waiting.set(place, run);
      if (!run.add(record(place, nowMs))) throw new Error(`${place}: a run that is held takes what follows`);
      if (holding.skips(place) || holding.holds(place, run)) continue;
      holding.remember(run);
      waiting.delete(place);
      hours[Math.floor(minute / 60)] = (hours[Math.floor(minute / 60)] ?? 0) + 1;
    }
  }
  return hours;
}

it('of a few queues they are one a minute', () => {
  for (const entries of entriesByHour(2)) expect(entries).toBe(60 * 2);
});

it.each([10, 100, 300])(
  'Likely 1: of %i queues they stay within what one user may leave, hour by hour',
  (queues) => {
    const hours = entriesByHour(queues);
    expect(Math.max(...hours)).toBeLessThan(CHANGES_AN_HOUR);
    // One in ten minutes of each, from the first hours on.
    expect(hours.at(-1)).toBeLessThanOrEqual(6 * queues);
  },
);
