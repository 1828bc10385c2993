/** What a record says of other queues is for those who see them. */
import { expect, test } from 'vitest';
import { type AccessScope, FULL_SCOPE } from '@/lib/contract/access/grant-scopes';
import type { AuditEventView } from '@/lib/contract/audit/audit-schemas';
import type { QueueChange } from '@/lib/contract/queues/queue-config';
import { visibleChange, visibleEntry } from './visible-changes';

const MINE: AccessScope = [{ queue: 'mine', tenants: null }];
const OP = 'op-0123456789ABCDEFGHJK';
const change = (what: string, before: string | null, after: string | null) =>
  ({ what, before, after }) as QueueChange;
const pair = ({ before, after }: Pick<QueueChange, 'before' | 'after'>) => [before, after];

test.each([
  ['operation', [`purge ${OP}: dead, queue:other`, 'ended: 2 moved, 0 left alone'], [`purge ${OP}`, 'ended']],
  ['operation', [`move ${OP}`, 'jobs came from other'], [`move ${OP}`, 'jobs came from (another queue)']],
  ['operation', [`move ${OP}`, 'jobs came from mine'], [`move ${OP}`, 'jobs came from mine']],
  [
    'schedule',
    ['{"queue":"other"}', '{"queue":"mine"}'],
    ['{"queue":"(another queue)"}', '{"queue":"mine"}'],
  ],
  ['schedule', ['', '{"schedule":"a","paused":true}'], ['', '{"schedule":"a","paused":true}']],
  ['schedule', ['{"queue":"oth', null], [null, null]],
  ['config', ['{"concurrency":1}', 'x: other'], ['{"concurrency":1}', 'x: other']],
] as const)('%s: %j', (what, [before, after], seen) => {
  const whole = change(what, before, after);
  expect(visibleChange(whole, FULL_SCOPE)).toBe(whole);
  const cut = pair(visibleChange(whole, MINE));
  expect(cut[0]).toBe(seen[0]);
  expect(String(cut[1])).toContain(String(seen[1]));
  expect(JSON.stringify(cut).replace('x: other', '')).not.toContain('other"');
});

test('an entry of the audit log keeps who, when and why, and loses the words of the query', () => {
  const entry = {
    n: 7,
    action: 'operation.end',
    object: { kind: 'operation', id: OP },
    queue: 'mine',
    filter: `suppress ${OP}: dead, id:(a OR other-1)`,
    reason: 'why',
    before: null,
    after: 'ended: 1 moved, 0 left alone',
  } as AuditEventView;
  expect(visibleEntry(entry, FULL_SCOPE)).toBe(entry);
  expect(visibleEntry(entry, MINE)).toMatchObject({ filter: `suppress ${OP}`, reason: 'why', n: 7 });
  const moved = {
    ...entry,
    action: 'queue.schedule',
    object: { kind: 'queue', id: 'mine' },
  } as AuditEventView;
  expect(visibleEntry({ ...moved, after: '{"queue":"other"}' }, MINE).after).not.toContain('other"');
});
