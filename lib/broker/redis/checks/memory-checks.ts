/** Memory and durability: whether Redis keeps what it was given. */
import { bytes } from '@/lib/format/bytes';
import { percent } from '@/lib/format/number';
import { count } from '@/lib/format/plural';
import { bad, byConfig, byInfo, notAllowed, numberIn, ok, type RedisCheck, warn } from './check-types';
import { howToSet } from './config-advice';

const MEMORY_WARN = 0.75;
const MEMORY_BAD = 0.9;
const FRAGMENTATION_WARN = 1.5;
/** Below it the ratio says nothing: Redis itself takes a few MB. */
const FRAGMENTATION_FROM_BYTES = 100 * 1024 * 1024;
const FORK_WARN_US = 500_000;
const KEY_WARN_BYTES = 1024 * 1024 * 1024;

export const MEMORY_CHECKS: readonly RedisCheck[] = [
  {
    id: 'eviction',
    topic: 'memory',
    title: 'Eviction policy',
    why: 'With an allkeys policy a full Redis deletes jobs to make room, without a trace; with a volatile one it deletes marks of `once`, and their work runs twice.',
    judge: byInfo(['maxmemory_policy', 'evicted_keys'], ([policy = '', evicted], readings) => {
      if (policy !== 'noeviction') return bad(policy, howToSet(readings, 'maxmemory-policy noeviction'));
      return Number(evicted) > 0
        ? bad(
            `noeviction, but ${evicted} keys were evicted since the start`,
            'Jobs may be missing: compare the ledger of each queue, and find out who changed the policy.',
          )
        : ok('noeviction');
    }),
  },
  {
    id: 'memory',
    topic: 'memory',
    title: 'Memory in use',
    why: 'When memory is full, Redis refuses new jobs; without a limit the operating system may kill it.',
    judge: byInfo(['used_memory', 'maxmemory', 'total_system_memory'], (values) => {
      const [used = 0, max = 0, system = 0] = values.map(Number);
      const limit = max > 0 ? max : system;
      const value = `${bytes(used)} of ${bytes(limit)}${max > 0 ? '' : ' of the machine, without maxmemory'} (${percent(used / limit)})`;
      const fix = 'Raise maxmemory, shorten retention (completed, dead), or purge jobs that are not needed.';
      if (used / limit > MEMORY_BAD) return bad(value, fix);
      if (used / limit > MEMORY_WARN) return warn(value, fix);
      return max > 0
        ? ok(value)
        : warn(
            value,
            'Set maxmemory to about three quarters of the machine, so that a full Redis refuses jobs instead of being killed.',
          );
    }),
  },
  {
    id: 'fragmentation',
    topic: 'memory',
    title: 'Memory fragmentation',
    why: 'Memory that is held and not used counts against the machine, and can get Redis killed.',
    judge: byInfo(['used_memory', 'mem_fragmentation_ratio', 'used_memory_rss'], ([used, ratio, rss]) => {
      const value = `${ratio}, resident ${bytes(Number(rss))}`;
      return Number(used) > FRAGMENTATION_FROM_BYTES && Number(ratio) > FRAGMENTATION_WARN
        ? warn(value, 'Set activedefrag yes, or restart it at a quiet hour.')
        : ok(value);
    }),
  },
  {
    id: 'largest-key',
    topic: 'memory',
    title: 'Largest key',
    why: 'A key cannot be divided: Redis moves, copies and frees it as a whole, and every call waits meanwhile.',
    judge: ({ keys }) => {
      if (keys === null) return notAllowed('SCAN and MEMORY USAGE');
      const { looked, isWhole, largest } = keys;
      if (largest === null) return ok('no keys of Redrive yet');
      const value = `${largest.name}, ${bytes(largest.bytes)}; largest of ${looked} keys${isWhole ? '' : ', a sample'}`;
      return largest.bytes > KEY_WARN_BYTES
        ? warn(value, 'Shard the queue, shorten its retention, or keep large payloads outside of Redis.')
        : ok(value);
    },
  },
];

export const DURABILITY_CHECKS: readonly RedisCheck[] = [
  {
    id: 'aof',
    topic: 'durability',
    title: 'Append-only file',
    why: 'Without it a restart loses every job since the last snapshot, or all of them.',
    judge: byInfo(
      ['aof_enabled', 'aof_last_write_status', 'aof_last_bgrewrite_status'],
      ([enabled, write, rewrite], readings) => {
        if (enabled !== '1') return bad('off', howToSet(readings, 'appendonly yes'));
        if (write !== 'ok')
          return bad('on, but the last write failed', 'Look at the log of Redis: mostly its disk is full.');
        return rewrite === 'ok'
          ? ok('on')
          : warn(
              'on, but the last rewrite failed',
              'Look at the log of Redis: it needs disk and memory for a copy.',
            );
      },
    ),
  },
  {
    id: 'fsync',
    topic: 'durability',
    title: 'Write to disk',
    why: 'It bounds what a power failure loses: everysec one second, always nothing, no about half a minute.',
    judge: byConfig('appendfsync', (value, { info }) => {
      if (info.get('aof_enabled') !== '1') return null;
      return value === 'no' ? bad(value, 'Set appendfsync everysec.') : ok(value);
    }),
  },
  {
    id: 'fsync-on-rewrite',
    topic: 'durability',
    title: 'Write to disk during a rewrite',
    why: 'With yes, a power failure during a rewrite can lose half a minute of jobs.',
    judge: byConfig('no-appendfsync-on-rewrite', (value, { info }) => {
      if (info.get('aof_enabled') !== '1') return null;
      return value === 'yes' ? warn('paused', 'Set no-appendfsync-on-rewrite no.') : ok('goes on');
    }),
  },
  {
    id: 'delayed-fsync',
    topic: 'durability',
    title: 'Slow disk',
    why: 'While the disk is behind, every call waits for it.',
    judge: (readings) => {
      if (readings.info.get('aof_enabled') !== '1') return null;
      const delayed = numberIn(readings, 'aof_delayed_fsync');
      return delayed > 0
        ? warn(`${delayed} delayed since the start`, 'Give Redis a faster disk, or one of its own.')
        : ok('no write was delayed');
    },
  },
  {
    id: 'snapshot',
    topic: 'durability',
    title: 'Last snapshot',
    why: 'After a failed snapshot Redis may refuse all writes (MISCONF), and replicas cannot be filled.',
    judge: byInfo(['rdb_last_bgsave_status', 'rdb_changes_since_last_save'], ([status, changes]) =>
      status === 'ok'
        ? ok(`fine; ${count(Number(changes), 'change')} since`)
        : bad(
            'failed',
            'Look at the log of Redis: mostly the disk is full, or memory for a fork is missing.',
          ),
    ),
  },
  {
    id: 'stop-writes',
    topic: 'durability',
    title: 'Writes after a failed snapshot',
    why: 'With no, Redis goes on although nothing reaches the disk.',
    judge: byConfig('stop-writes-on-bgsave-error', (value, { config }) => {
      if (config?.get('save') === '') return null;
      return value === 'no' ? warn('accepted', 'Set stop-writes-on-bgsave-error yes.') : ok('refused');
    }),
  },
  {
    id: 'fork',
    topic: 'durability',
    title: 'Last fork',
    why: 'All calls wait while Redis forks for a snapshot or a rewrite.',
    judge: byInfo(['latest_fork_usec'], ([text]) => {
      const us = Number(text);
      const value = us === 0 ? 'none yet' : `${(us / 1_000).toFixed(1)} ms`;
      return us > FORK_WARN_US
        ? warn(value, 'Turn off transparent huge pages, or spread the queues over several servers.')
        : ok(value);
    }),
  },
];
