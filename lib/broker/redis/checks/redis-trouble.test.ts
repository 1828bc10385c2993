import { expect, test } from 'vitest';
import { troubleIn } from './redis-trouble';

const HEALTHY = {
  used_memory: '1000',
  maxmemory: '0',
  total_system_memory: '1000000',
  aof_enabled: '0',
  aof_last_write_status: 'ok',
  aof_last_bgrewrite_status: 'ok',
  rdb_last_bgsave_status: 'ok',
  rdb_changes_since_last_save: '0',
  maxmemory_policy: 'noeviction',
  evicted_keys: '0',
};
const found = (over: Partial<Record<keyof typeof HEALTHY, string>>) =>
  troubleIn(new Map(Object.entries({ ...HEALTHY, ...over })), null).map(
    ({ check, level }) => `${level} ${check}`,
  );

test.each<[string, Parameters<typeof found>[0], string[]]>([
  ['a Redis without a limit or an append-only file, which somebody chose', {}, []],
  ['memory that is used to three quarters', { used_memory: '751', maxmemory: '1000' }, ['warn memory']],
  ['memory that is nearly used up', { used_memory: '901', maxmemory: '1000' }, ['bad memory']],
  ['a full machine without a limit, of which nothing is promised', { used_memory: '990000' }, []],
  [
    'a write to the append-only file that failed',
    { aof_enabled: '1', aof_last_write_status: 'err' },
    ['bad aof'],
  ],
  ['a rewrite that failed', { aof_enabled: '1', aof_last_bgrewrite_status: 'err' }, ['warn aof']],
  ['an old failure of a file that is off now', { aof_last_write_status: 'err' }, []],
  ['a snapshot that failed', { rdb_last_bgsave_status: 'err' }, ['bad snapshot']],
])('%s', (_, over, expected) => {
  expect(found(over)).toEqual(expected);
});
