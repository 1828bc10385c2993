import { expect, test } from 'vitest';
import type { Change } from '@/lib/contract/config';
import { changeWords } from './change-words';

const words = (what: string, before: string | null = null, after: string | null = null): string => {
  const change: Change = {
    id: '1-0',
    at: 0,
    what,
    actor: 'Ada',
    reason: null,
    requestId: null,
    before,
    after,
  };
  const { title, lines } = changeWords(change);
  return [title, ...lines.map((line) => `${line.label}: ${line.before} → ${line.after}`)].join(' | ');
};

test.each<[string, string, string | null, string | null]>([
  ['Paused the whole queue', 'pause', 'queue', null],
  ['Paused tenant acme until 2026-01-01 00:00 UTC', 'pause', 'tenant:acme', `until ${Date.UTC(2026, 0, 1)}`],
  ['Resumed job type email.send', 'resume', 'type:email.send', null],
  ['Draining: refuses new jobs', 'drain', null, null],
  ['Takes new jobs again', 'undrain', null, null],
  [
    'Changed settings | Concurrency: no limit → 2 at once',
    'config',
    '{"concurrency":null}',
    '{"concurrency":2}',
  ],
  [
    'Changed settings | Was: {"tenantLimits":{"a → {"tenantLimits":{}}',
    'config',
    '{"tenantLimits":{"a',
    '{"tenantLimits":{}}',
  ],
  [
    'Changed the shards | Shards: one → 3, by tenant',
    'sharding',
    '{"count":1,"by":"id"}',
    '{"count":3,"by":"tenant"}',
  ],
  [
    'Bulk purge op-1: ended: 12 moved, 1 left alone',
    'operation',
    'purge op-1',
    'ended: 12 moved, 1 left alone',
  ],
  [
    'Bulk purge op-1 (dead, code:X, up to 2026-03-01T10:00:00.000Z): began',
    'operation',
    'purge op-1: dead, code:X, up to 2026-03-01T10:00:00.000Z',
    'began',
  ],
  ['renamed', 'renamed', null, null],
])('%s', (expected, what, before, after) => expect(words(what, before, after)).toBe(expected));
