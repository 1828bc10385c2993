import { expect, it } from 'vitest';
import { ownPausesFirst } from './pause-order';
import type { QueuePause } from './pause-schemas';

const pause = (queue: string, scope: QueuePause['scope'], since: number): QueuePause => ({
  queue,
  scope,
  since,
  until: null,
  actor: 'Ada',
  reason: 'refunds',
});
// As the overview has them: the latest first. The queue itself has the oldest first.
const ALL = [
  pause('mail', 'type:send', 30),
  pause('pay', 'queue', 20),
  pause('mail', 'tenant:acme', 10),
  pause('hooks', 'queue', 10),
];
const names = (pauses: readonly QueuePause[]) => pauses.map(({ queue, scope }) => `${queue} ${scope}`);
const own = (queue: string) => ({ queue, pauses: ALL.filter((one) => one.queue === queue).toReversed() });

it('pauses stand in one order on all pages, those of the open queue before the others', () => {
  const elsewhere = names(ownPausesFirst(null, ALL));
  expect(elsewhere).toEqual(['mail type:send', 'pay queue', 'hooks queue', 'mail tenant:acme']);
  const onMail = names(ownPausesFirst(own('mail'), ALL));
  expect(onMail).toEqual(['mail type:send', 'mail tenant:acme', 'pay queue', 'hooks queue']);
  for (const queue of ['pay', 'hooks']) {
    const others = names(ownPausesFirst(own(queue), ALL)).slice(1);
    expect(others).toEqual(elsewhere.filter((name) => !name.startsWith(queue)));
  }
});
