/** Replication, clients, latency and scripts: whether Redis answers, and answers from the right server. */
import { bytes } from '@/lib/format/bytes';
import {
  bad,
  byConfig,
  byInfo,
  type Judgement,
  notAllowed,
  numberIn,
  ok,
  type RedisCheck,
  warn,
} from './check-types';
import type { ServerReadings } from './server-readings';

const REPLICA_LAG_WARN_S = 10;
const CLIENTS_WARN = 0.8;
const ROUND_TRIP_WARN_MS = 50;
const STALL_WARN_MS = 100;
const STALL_RECENT_MS = 3_600_000;
const OUTPUT_WARN_BYTES = 64 * 1024 * 1024;
/** Every script of ours is in the cache once; many more are another program's. */
const SCRIPTS_WARN = 1_000;
/** `errorstat_…`: each says that calls failed for a reason of the server. */
const ERRORS = ['OOM', 'MISCONF', 'READONLY', 'NOREPLICAS', 'BUSY', 'MASTERDOWN', 'CLUSTERDOWN'];

const replicasOf = ({ info }: ServerReadings) =>
  [...info].flatMap(([name, value]) => {
    if (!/^slave\d+$/.test(name)) return [];
    const fields = new Map(value.split(',').map((part) => part.split('=') as [string, string]));
    return [{ state: fields.get('state') ?? '', lagS: Number(fields.get('lag') ?? 0) }];
  });

function judgeReplicas(readings: ServerReadings): Judgement | null {
  if (readings.info.get('role') !== 'master') return null;
  const replicas = replicasOf(readings);
  if (replicas.length === 0)
    return readings.usesSentinel
      ? bad('none, with Sentinel', 'Start a replica: without one there is nothing to fail over to.')
      : ok('none: this server has the only copy');
  const behind = replicas.filter(({ state, lagS }) => state !== 'online' || lagS > REPLICA_LAG_WARN_S);
  const value = `${replicas.length}, slowest ${Math.max(...replicas.map(({ lagS }) => lagS))} s behind`;
  return behind.length === 0
    ? ok(value)
    : warn(`${value}; ${behind.length} not in step`, 'Look at the network and the disk of the replica.');
}

export const REPLICATION_CHECKS: readonly RedisCheck[] = [
  {
    id: 'role',
    topic: 'replication',
    title: 'Role',
    why: 'A replica refuses every change, and one without its master returns outdated jobs.',
    judge: byInfo(['role'], ([role], { info }) => {
      if (role === 'master') return ok('master');
      const link = info.get('master_link_status');
      return bad(
        `replica${link === 'up' ? '' : ' without its master'}`,
        'Point REDIS_URL at the master, or use redis+sentinel:// so that the master is found.',
      );
    }),
  },
  {
    id: 'replicas',
    topic: 'replication',
    title: 'Replicas',
    why: 'What a replica does not have yet is lost when the master fails.',
    judge: judgeReplicas,
  },
  {
    id: 'min-replicas',
    topic: 'replication',
    title: 'Replicas that a write needs',
    why: 'With 0, a master that is cut off accepts jobs that the next master never sees.',
    judge: byConfig('min-replicas-to-write', (value, readings) => {
      // Redis reports it only where a write needs some.
      const inStep = readings.info.get('min_slaves_good_slaves');
      if (inStep !== undefined && Number(inStep) < Number(value))
        return bad(
          `${value}, but ${inStep} in step: writes are refused`,
          'Start replicas, or look at the network between them and the master; until then set min-replicas-to-write 0.',
        );
      if (replicasOf(readings).length === 0 && !readings.usesSentinel) return null;
      if (value !== '0' && readings.config?.get('min-replicas-max-lag') === '0')
        return warn(`${value}, which min-replicas-max-lag 0 turns off`, 'Set min-replicas-max-lag 2.');
      return value === '0'
        ? warn('0', 'With two replicas or more, set min-replicas-to-write 1 and min-replicas-max-lag 2.')
        : ok(value);
    }),
  },
];

export const CLIENT_CHECKS: readonly RedisCheck[] = [
  {
    id: 'clients',
    topic: 'clients',
    title: 'Connections',
    why: 'At the limit, new workers and consoles are refused. A worker holds one for calls and one to wait.',
    judge: byInfo(['connected_clients', 'maxclients'], ([connected, max], readings) => {
      const value = `${connected} of ${max}; ${numberIn(readings, 'blocked_clients')} wait for jobs`;
      return Number(connected) > Number(max) * CLIENTS_WARN
        ? warn(value, 'Raise maxclients, or find the program that opens so many (CLIENT LIST).')
        : ok(value);
    }),
  },
  {
    id: 'rejected',
    topic: 'clients',
    title: 'Refused connections',
    why: 'Each was a worker or a console that could not connect.',
    judge: byInfo(['rejected_connections'], ([rejected]) =>
      Number(rejected) > 0
        ? warn(`${rejected} since the start`, 'Raise maxclients.')
        : ok('none since the start'),
    ),
  },
  {
    id: 'timeout',
    topic: 'clients',
    title: 'Timeout of idle connections',
    why: 'It cuts off workers that wait for jobs; they reconnect, and jobs wait meanwhile.',
    judge: byConfig('timeout', (value) =>
      value === '0' ? ok('off') : warn(`${value} s`, 'Set timeout 0; tcp-keepalive finds dead connections.'),
    ),
  },
  {
    id: 'keepalive',
    topic: 'clients',
    title: 'TCP keepalive',
    why: 'Without it, connections of vanished machines stay, and count against the limit.',
    judge: byConfig('tcp-keepalive', (value, { usesSocket }) =>
      value === '0' && !usesSocket ? warn('off', 'Set tcp-keepalive 300.') : ok(`${value} s`),
    ),
  },
  {
    id: 'output-buffers',
    topic: 'clients',
    title: 'Replies not yet read',
    why: 'Replies to a client that does not read them pile up in the memory of Redis.',
    judge: byInfo(['client_recent_max_output_buffer'], ([text], readings) => {
      const cut = numberIn(readings, 'client_output_buffer_limit_disconnections');
      const value = `at most ${bytes(Number(text))} for one client${cut > 0 ? `; ${cut} clients cut off for it` : ''}`;
      return cut > 0 || Number(text) > OUTPUT_WARN_BYTES
        ? warn(value, 'Find the client with CLIENT LIST (omem), and end or repair it.')
        : ok(value);
    }),
  },
  {
    id: 'output-limit',
    topic: 'clients',
    title: 'Limit of replies not yet read',
    why: 'At the limit Redis closes the connection of a worker or a console in the middle of a large reply.',
    judge: byConfig('client-output-buffer-limit', (text) => {
      const [, hard, soft] = /\bnormal (\d+) (\d+)/.exec(text) ?? [];
      const limit = Math.max(Number(hard ?? 0), Number(soft ?? 0));
      return limit === 0
        ? ok('none for these clients')
        : warn(bytes(limit), 'Set client-output-buffer-limit normal 0 0 0.');
    }),
  },
];

export const LATENCY_CHECKS: readonly RedisCheck[] = [
  {
    id: 'round-trip',
    topic: 'latency',
    title: 'Round trip',
    why: 'Every claim and every ack waits for one.',
    judge: ({ roundTripsMs }) => {
      const median = roundTripsMs[Math.floor(roundTripsMs.length / 2)] ?? 0;
      const longest = roundTripsMs.at(-1) ?? 0;
      const value = `median ${median.toFixed(2)} ms, longest of ${roundTripsMs.length}: ${longest.toFixed(2)} ms`;
      return longest > ROUND_TRIP_WARN_MS
        ? warn(value, 'Put workers and console near Redis; look for slow commands and a busy CPU there.')
        : ok(value);
    },
  },
  {
    id: 'slow-log',
    topic: 'latency',
    title: 'Slow commands',
    why: 'Redis does one thing at a time: all others wait for a slow one.',
    judge: ({ slowCommands, config }) => {
      if (slowCommands === null) return notAllowed('SLOWLOG');
      if (Number(config?.get('slowlog-log-slower-than')) < 0)
        return warn('the slow log is off', 'Set slowlog-log-slower-than 10000, in microseconds.');
      return slowCommands > 0
        ? warn(
            `${slowCommands} in the slow log`,
            'Read them with SLOWLOG GET, then empty it with SLOWLOG RESET.',
          )
        : ok('none in the slow log');
    },
  },
  {
    id: 'latency-monitor',
    topic: 'latency',
    title: 'Latency monitor',
    why: 'It records stalls by fork, disk and expiry, which no slow log shows. latency-monitor-threshold 50 turns it on.',
    judge: byConfig('latency-monitor-threshold', (value) => ok(value === '0' ? 'off' : `from ${value} ms`)),
  },
  {
    id: 'stalls',
    topic: 'latency',
    title: 'Stalls',
    why: 'While Redis stalls, no job is claimed or acknowledged; long stalls cost leases.',
    judge: ({ stalls, serverMs, config }) => {
      if (stalls === null) return notAllowed('LATENCY');
      if (config?.get('latency-monitor-threshold') === '0') return null;
      const recent = stalls.filter(
        ({ atMs, tookMs }) => serverMs - atMs < STALL_RECENT_MS && tookMs > STALL_WARN_MS,
      );
      return recent.length > 0
        ? warn(
            `in the last hour: ${recent.map(({ event, tookMs }) => `${event} ${tookMs} ms`).join(', ')}`,
            'Ask Redis with LATENCY DOCTOR: mostly it is a slow disk, a fork or a slow command.',
          )
        : ok(`none above ${STALL_WARN_MS} ms in the last hour`);
    },
  },
];

export const SCRIPT_CHECKS: readonly RedisCheck[] = [
  {
    id: 'scripts',
    topic: 'scripts',
    title: 'Cached scripts',
    why: 'Redrive has a fixed set. A cache that grows without end fills the memory.',
    judge: byInfo(['number_of_cached_scripts'], ([cached]) =>
      Number(cached) > SCRIPTS_WARN
        ? warn(`${cached}`, 'Find the program that builds script text from values, and run SCRIPT FLUSH.')
        : ok(`${cached}`),
    ),
  },
  {
    id: 'busy-threshold',
    topic: 'scripts',
    title: 'Time until a script counts as stuck',
    why: 'From then on others are told BUSY instead of waiting without a word.',
    judge: ({ config }) => {
      if (config === null) return notAllowed('CONFIG');
      const value = config.get('busy-reply-threshold') ?? config.get('lua-time-limit') ?? '0';
      return Number(value) <= 0
        ? warn('never', 'Set busy-reply-threshold 5000 (before Redis 7: lua-time-limit 5000).')
        : ok(`${value} ms`);
    },
  },
  {
    id: 'errors',
    topic: 'scripts',
    title: 'Refused calls',
    why: 'Each is a call of a worker, a producer or a console that Redis did not carry out.',
    judge: (readings) => {
      const seen = ERRORS.flatMap((name) => {
        const count = readings.info.get(`errorstat_${name}`)?.match(/count=(\d+)/)?.[1];
        return count === undefined ? [] : [`${name} ${count}`];
      });
      return seen.length === 0
        ? ok(`none of ${ERRORS.slice(0, 4).join(', ')}, … since the start`)
        : warn(
            `${seen.join(', ')} since the start`,
            'docs/connections.md has a table of what each means. CONFIG RESETSTAT sets the counters back.',
          );
    },
  },
];
