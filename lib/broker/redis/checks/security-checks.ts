/** Security, version, Cluster and clock: which server this is, and who else can reach it. */
import { count } from '@/lib/format/plural';
import { bad, byConfig, byInfo, notAllowed, numberIn, ok, type RedisCheck, warn } from './check-types';
import { redisAdvice, versionOf } from './redis-advice';
import type { ServerReadings } from './server-readings';

const CLOCK_WARN_MS = 250;
const LOOPBACK = /^-?(?:127\.[\d.]+|::1|localhost)$/;

/** Only processes of this machine reach it, as in the demo. */
const isLocal = (bind: string | undefined): boolean =>
  bind !== undefined && bind !== '' && bind.split(' ').every((address) => LOOPBACK.test(address));

export const SECURITY_CHECKS: readonly RedisCheck[] = [
  {
    id: 'password',
    topic: 'security',
    title: 'Password',
    why: 'Jobs, sessions and rights are in Redis: who can connect without a password can change all of them.',
    judge: ({ isOpen, usesSocket, config }) => {
      if (isOpen === null) return notAllowed('ACL GETUSER');
      if (!isOpen) return ok('the default user needs one, or is off');
      if (!usesSocket && isLocal(config?.get('bind')))
        return warn(
          'none needed; only this machine reaches it',
          'Before other machines may reach it, make the users of docs/connections.md, then ACL SETUSER default off.',
        );
      return usesSocket
        ? warn(
            'none needed on this socket',
            'Let only the users of workers and console open the socket (unixsocketperm 770).',
          )
        : bad('none needed', 'Make the users of docs/connections.md, then ACL SETUSER default off.');
    },
  },
  {
    id: 'user',
    topic: 'security',
    title: 'User of this connection',
    why: 'A user of its own has the rights that Redrive needs and no others, such as FLUSHALL.',
    judge: ({ user }) => {
      if (user === null) return notAllowed('CLIENT INFO');
      return user === 'default'
        ? warn(user, 'Give console, producers and workers a user each: docs/connections.md has the rules.')
        : ok(user);
    },
  },
  {
    id: 'network',
    topic: 'security',
    title: 'Network and TLS',
    why: 'Without TLS, passwords and payloads cross the network readable.',
    judge: byConfig('bind', (bind, { usesTls, config }) => {
      if (config?.get('port') === '0' && !usesTls) return ok('no port without TLS');
      if (isLocal(bind)) return ok(`this machine only (${bind})`);
      return usesTls
        ? ok(`TLS; bound to ${bind || 'every address'}`)
        : warn(
            `no TLS; bound to ${bind || 'every address'}`,
            'Set tls-port, and use rediss:// in the address.',
          );
    }),
  },
  {
    id: 'protected-mode',
    topic: 'security',
    title: 'Protected mode',
    why: 'It refuses strangers while no password is set.',
    judge: byConfig('protected-mode', (value, { isOpen }) =>
      value === 'no' && isOpen !== false
        ? bad(
            'off, and no password is needed',
            'Set a password or ACL users first; then protected-mode no is safe.',
          )
        : ok(value === 'no' ? 'off, with a password' : 'on'),
    ),
  },
  {
    id: 'debug-command',
    topic: 'security',
    title: 'DEBUG command',
    why: 'It can stop or crash the server.',
    judge: byConfig('enable-debug-command', (value) =>
      value === 'yes' ? warn('allowed to all', 'Set enable-debug-command no, and restart.') : ok(value),
    ),
  },
  {
    id: 'refused-access',
    topic: 'security',
    title: 'Refused by ACL',
    why: 'A worker with too few rights, or somebody who tries.',
    judge: (readings) => {
      const { info, isDenied } = readings;
      if (!info.has('acl_access_denied_auth')) return null;
      // Redis counts the questions that these checks were refused, too.
      const kinds = ['auth', 'key', 'channel', ...(isDenied ? [] : ['cmd'])];
      const denied = kinds.reduce((sum, kind) => sum + numberIn(readings, `acl_access_denied_${kind}`), 0);
      const leftOut = isDenied ? ', without refused commands: this user may not make every check' : '';
      return denied > 0
        ? warn(`${denied} since the start${leftOut}`, 'Read them with ACL LOG.')
        : ok(`none since the start${leftOut}`);
    },
  },
];

const keysInOtherDatabases = ({ info, db }: ServerReadings): number =>
  [...info].reduce((sum, [name, value]) => {
    const isOther = /^db\d+$/.test(name) && name !== `db${db}`;
    return isOther ? sum + Number(/^keys=(\d+)/.exec(value)?.[1] ?? 0) : sum;
  }, 0);

export const SERVER_CHECKS: readonly RedisCheck[] = [
  {
    id: 'version',
    topic: 'server',
    title: 'Version',
    why: 'Redrive needs 6.2 or newer. Known weaknesses in scripts give a user of Redis the whole server.',
    judge: byInfo(['redis_version'], (_, { info }) => {
      const version = versionOf((name) => info.get(name));
      const advice = redisAdvice(version);
      return advice === null ? ok(version) : warn(version, advice);
    }),
  },
  {
    id: 'loading',
    topic: 'server',
    title: 'Loading data',
    why: 'Until its data are read, Redis refuses every call.',
    judge: byInfo(['loading'], ([loading]) =>
      loading === '0' ? ok('done') : bad('in progress', 'Wait for it to end.'),
    ),
  },
  {
    id: 'uptime',
    topic: 'server',
    title: 'Running since',
    why: 'A restart that was not planned is the first sign of a full machine.',
    judge: byInfo(['uptime_in_seconds'], ([text]) => {
      const seconds = Number(text);
      const hours = seconds / 3_600;
      const value =
        hours >= 48
          ? `${Math.floor(hours / 24)} days`
          : hours >= 1
            ? `${Math.floor(hours)} h`
            : `${Math.floor(seconds / 60)} min`;
      return ok(value);
    }),
  },
  {
    id: 'settings-file',
    topic: 'server',
    title: 'Settings after a restart',
    why: 'A restart undoes what CONFIG SET changed, unless it also stands in the file or the command that starts Redis.',
    judge: byInfo(['config_file'], ([file], { config }) =>
      ok(
        file === ''
          ? 'no file: the command that starts Redis has them, or its provider'
          : `${file} has them${config === null ? '' : '; CONFIG REWRITE keeps changes there'}`,
      ),
    ),
  },
  {
    id: 'shared',
    topic: 'server',
    title: 'Keys of other programs',
    why: 'They share its memory, its one thread and its FLUSHALL: the trouble of one is the trouble of all.',
    judge: (readings) => {
      const { keys } = readings;
      if (keys === null) return notAllowed('SCAN and MEMORY USAGE');
      const elsewhere = keysInOtherDatabases(readings);
      const found = [
        ...(keys.foreign > 0 ? [`${keys.isScanWhole ? '' : 'at least '}${count(keys.foreign, 'key')}`] : []),
        ...(elsewhere > 0 ? [`${count(elsewhere, 'key')} in other databases`] : []),
      ];
      return found.length > 0
        ? warn(found.join(', '), 'Give Redrive a Redis that no other program uses.')
        : ok(keys.isScanWhole ? 'none' : 'none in a sample');
    },
  },
  {
    id: 'clock',
    topic: 'server',
    title: 'Clock',
    why: 'Schedules and leases go by the clock of Redis, and people compare them with their own.',
    judge: ({ clockOffsetMs }) => {
      const value = `${Math.abs(Math.round(clockOffsetMs))} ms ${clockOffsetMs < 0 ? 'behind' : 'ahead of'} this machine`;
      return Math.abs(clockOffsetMs) > CLOCK_WARN_MS
        ? warn(value, 'Let both machines keep their time with NTP.')
        : ok(value);
    },
  },
  {
    id: 'cluster',
    topic: 'server',
    title: 'Cluster',
    why: 'A slot without a master takes its queues with it.',
    judge: ({ info, cluster }) => {
      if (info.get('cluster_enabled') !== '1') return null;
      if (cluster === null) return notAllowed('CLUSTER INFO');
      const [state, slots, failed] = ['cluster_state', 'cluster_slots_ok', 'cluster_slots_fail'].map((name) =>
        cluster.get(name),
      );
      return state === 'ok' && slots === '16384'
        ? ok(`${state}, all slots served`)
        : bad(
            `${state}, ${slots} of 16384 slots served, ${failed} failed`,
            'Bring the missing masters back, or promote their replicas.',
          );
    },
  },
  {
    id: 'cluster-coverage',
    topic: 'server',
    title: 'Cluster with a slot missing',
    why: 'With yes, one lost master stops the queues of all others, too.',
    judge: (readings) => {
      if (readings.info.get('cluster_enabled') !== '1') return null;
      return byConfig('cluster-require-full-coverage', (value) =>
        value === 'yes'
          ? warn('stops whole', 'Set cluster-require-full-coverage no.')
          : ok('the rest goes on'),
      )(readings);
    },
  },
];
