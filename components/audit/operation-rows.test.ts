import { expect, it } from 'vitest';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import { endLabel, eventLabel, toAuditRows } from './operation-rows';

const event = (n: number, action: string, rest: Partial<AuditEventView> = {}): AuditEventView => ({
  n,
  at: n,
  actor: 'ann',
  actorId: 'local:ann',
  method: 'local',
  via: null,
  address: null,
  action,
  result: 'done',
  code: null,
  object: { kind: 'operation', id: 'op-1' },
  queue: null,
  shard: null,
  filter: null,
  reason: null,
  before: null,
  after: null,
  count: null,
  requestId: null,
  source: `s ${n}`,
  prev: '',
  hash: '',
  ...rest,
});
const start = event(1, 'operation.start', { filter: 'purge: dead, code:X, up to 2026', count: 4 });

it.each([
  [start, 'Purge 4 dead jobs'],
  [{ ...start, count: 1, filter: 'edit: dead, 1 ticked job' }, 'Edit and re-drive 1 dead job'],
  [{ ...start, filter: 'move: suppressed, all' }, 'Re-drive 4 suppressed jobs to another queue'],
  [{ ...start, filter: 'delete-queue: all of mail', queue: 'mail' }, 'Delete queue mail'],
  [{ ...start, action: 'operation.undo', filter: 'restore: trashed, all' }, 'Undo: restore 4 trashed jobs'],
  [
    { ...start, action: 'operation.end', filter: 'purge op-1: dead, all' },
    'Operation ended: purge 4 dead jobs',
  ],
  [{ ...start, result: 'refused' as const }, 'Start operation'],
  [{ ...start, filter: '<b>: dead' }, 'Start operation'],
  [event(2, 'queue.pause'), 'Pause queue'],
  [event(2, 'queue.pause', { before: 'tenant:acme' }), 'Pause tenant acme'],
  [event(2, 'queue.resume', { before: 'type:mail.send' }), 'Resume job type mail.send'],
])('says what was done: %#', (entry, label) => expect(eventLabel(entry)).toBe(label));

it('folds the ends of an operation into its start, and adds up its queues', () => {
  const ends = ['mail', 'bill'].map((queue, i) =>
    event(2 + i, 'operation.end', { queue, after: 'ended: 2 moved, 1 left alone' }),
  );
  const other = event(9, 'operation.end', { object: { kind: 'operation', id: 'op-2' } });
  const rows = toAuditRows([other, ...ends.toReversed(), start]);
  expect(rows.map(({ entry }) => entry.n)).toEqual([9, 1]);
  expect(rows.map(endLabel)).toEqual([null, 'ended: 4 moved, 2 left alone']);
});

it('keeps what ended if the start was refused or is on another page', () => {
  const end = event(3, 'operation.end', { after: 'stopped: 1 moved, 0 left alone' });
  expect(toAuditRows([end, { ...start, result: 'refused' }])).toHaveLength(2);
  expect(toAuditRows([end])).toEqual([{ entry: end, ends: [] }]);
});
