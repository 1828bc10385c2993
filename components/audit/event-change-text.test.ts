import { expect, it } from 'vitest';
import { changeText, pausedScope } from './event-change-text';

const entry = (action: string, before: string | null, after: string | null) => ({
  action,
  at: 1_000_000,
  before,
  after,
});
const json = (value: object) => JSON.stringify(value);

it.each([
  [entry('queue.pause', 'queue', 'until 1900000'), { kind: 'queue' }, 'for 15 m'],
  [entry('queue.pause', 'tenant:acme', ''), { kind: 'tenant', name: 'acme' }, 'until resumed'],
  [entry('queue.resume', 'type:mail.send', null), { kind: 'job type', name: 'mail.send' }, null],
  [
    entry('lab.settings', json({ crashPercent: 0, workers: 4 }), json({ crashPercent: 30, workers: 4 })),
    null,
    'crash percent 0 → 30',
  ],
  [
    entry('queue.config', json({ a: 1, b: 'x'.repeat(40), c: 1, d: 1 }), json({ b: '', c: [1], e: 1 })),
    null,
    `a 1 → none, b ${'x'.repeat(24)}… → , c 1 → [1] and 2 more`,
  ],
  [entry('lab.settings', null, json({ crashPercent: 10 })), null, 'crash percent 10'],
  [
    entry(
      'queue.config',
      json({ rate: { perSecond: 5, burst: 50 } }),
      json({ rate: { perSecond: 9, burst: 50 } }),
    ),
    null,
    'rate per second 5 → 9',
  ],
  [
    entry('queue.config', json({ rate: { perSecond: 5 } }), json({ rate: null })),
    null,
    'rate per second 5 → none',
  ],
  [
    entry('lab.drill', null, json({ startedAt: 1_795_853_078_140 })),
    null,
    'started at 2026-11-28 08:04:38 UTC',
  ],
  [entry('operation.start', null, json({ status: 'running', matched: 4 })), null, null],
  [entry('access.change', 'plain', 'text'), null, null],
  [entry('queue.config', json({ a: 1 }), json({ a: 1 })), null, null],
  [entry('queue.config', '[1]', '[2]'), null, null],
])('says in a few words what was changed: %#', (event, scope, text) => {
  expect([pausedScope(event), changeText(event)]).toEqual([scope, text]);
});
