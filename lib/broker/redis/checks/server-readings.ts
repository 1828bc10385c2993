/** What the checks read from one server. Each question has a deadline, and one that the user may not ask leaves null. */
import type { Redis } from 'ioredis';
import { withDeadline } from '../call-deadline';
import { toMs } from '../server-info';
import { askServer, QUESTION_MS, wasDenied } from './ask-server';
import { type KeySample, readKeySample } from './key-sample';

export interface ServerReadings {
  readonly info: ReadonlyMap<string, string>;
  /** Only the settings in `CONFIG_NAMES`; null: CONFIG is not allowed. */
  readonly config: ReadonlyMap<string, string> | null;
  /** CLUSTER INFO; null: no Cluster, or not allowed. */
  readonly cluster: ReadonlyMap<string, string> | null;
  /** Round trips of PING, shortest first, in ms. */
  readonly roundTripsMs: readonly number[];
  /** The time by the clock of Redis, in ms. */
  readonly serverMs: number;
  /** The clock of Redis less ours, in ms; uncertain by half a round trip. */
  readonly clockOffsetMs: number;
  /** The connection's user; null: not allowed. */
  readonly user: string | null;
  /** Whether the user `default` is on and needs no password; null: not known. */
  readonly isOpen: boolean | null;
  /** Commands in the slow log; null: not allowed. */
  readonly slowCommands: number | null;
  /** The latest stall of each kind that the latency monitor recorded; null: not allowed. */
  readonly stalls: readonly Stall[] | null;
  /** Null: not allowed. */
  readonly keys: KeySample | null;
  /** The number of the database of this connection. */
  readonly db: number;
  /** Whether the ACL refused one of these questions, which Redis then counted. */
  readonly isDenied: boolean;
  readonly usesTls: boolean;
  readonly usesSocket: boolean;
  readonly usesSentinel: boolean;
}

export interface Stall {
  /** `command`, `fork`, `aof-fsync-always` and others of Redis. */
  readonly event: string;
  readonly atMs: number;
  readonly tookMs: number;
}

/** For checks that look at INFO only. */
export const NO_READINGS: ServerReadings = {
  info: new Map(),
  config: null,
  cluster: null,
  roundTripsMs: [],
  serverMs: 0,
  clockOffsetMs: 0,
  user: null,
  isOpen: null,
  slowCommands: null,
  stalls: null,
  keys: null,
  db: 0,
  isDenied: false,
  usesTls: false,
  usesSocket: false,
  usesSentinel: false,
};

export const CONFIG_NAMES = [
  'appendfsync',
  'no-appendfsync-on-rewrite',
  'stop-writes-on-bgsave-error',
  'save',
  'min-replicas-to-write',
  'min-replicas-max-lag',
  'timeout',
  'tcp-keepalive',
  'client-output-buffer-limit',
  'latency-monitor-threshold',
  'busy-reply-threshold',
  'lua-time-limit',
  'protected-mode',
  'bind',
  'port',
  'enable-debug-command',
  'cluster-require-full-coverage',
  'slowlog-log-slower-than',
] as const;
export type ConfigName = (typeof CONFIG_NAMES)[number];

const PINGS = 10;

/**
 * @param nowMs a clock that never goes back
 * @param prefix of Redrive's keys
 * @throws the error of an unavailable Redis; refusals leave null
 */
export async function readServer(
  redis: Redis,
  nowMs = performance.now(),
  prefix = 'rd',
): Promise<ServerReadings> {
  const ask: Ask = (command, ...args) => askServer(redis, nowMs, command, ...args);
  const info = pairsIn(String(await withDeadline(redis.info(), QUESTION_MS)));
  const roundTripsMs = await pings(redis);
  const [config, cluster, client, slow, latency, keys, clock] = await Promise.all([
    readConfig(ask),
    info.get('cluster_enabled') === '1' ? ask('CLUSTER', 'INFO') : null,
    ask('CLIENT', 'INFO'),
    ask('SLOWLOG', 'LEN'),
    ask('LATENCY', 'LATEST'),
    readKeySample(ask, prefix),
    readClock(redis),
  ]);
  const user = typeof client === 'string' ? (client.match(/(?:^| )user=(\S*)/)?.[1] ?? 'default') : null;
  return {
    info,
    config,
    cluster: typeof cluster === 'string' ? pairsIn(cluster) : null,
    roundTripsMs,
    ...clock,
    user,
    isOpen: await isOpen(redis, user, ask),
    slowCommands: slow === null ? null : Number(slow),
    stalls: Array.isArray(latency) ? latency.map(stallIn) : null,
    keys,
    db: redis.options.db ?? 0,
    isDenied: wasDenied(redis),
    usesTls: redis.options.tls !== undefined,
    usesSocket: redis.options.path !== undefined && redis.options.path !== null,
    usesSentinel: (redis.options.sentinels?.length ?? 0) > 0,
  };
}

/** Name, time in seconds, latest and longest in ms. */
const stallIn = ([event, atS, tookMs]: readonly unknown[]): Stall => ({
  event: String(event),
  atMs: Number(atS) * 1_000,
  tookMs: Number(tookMs),
});

/** Null: refused. */
type Ask = (command: string, ...args: string[]) => Promise<unknown>;

/** Name by name: several at once need Redis 7, and a pattern would also return passwords. Where the first is refused, so are all. */
async function readConfig(ask: Ask): Promise<ReadonlyMap<string, string> | null> {
  const [firstName, ...otherNames] = CONFIG_NAMES;
  const first = await ask('CONFIG', 'GET', firstName);
  if (first === null) return null;
  const others = await Promise.all(otherNames.map((name) => ask('CONFIG', 'GET', name)));
  return new Map(
    [first, ...others].flatMap((answer): [string, string][] =>
      Array.isArray(answer) && answer.length === 2 ? [[String(answer[0]), String(answer[1])]] : [],
    ),
  );
}

async function pings(redis: Redis): Promise<number[]> {
  const took: number[] = [];
  for (let i = 0; i < PINGS; i++) {
    const start = performance.now();
    await withDeadline(redis.ping(), QUESTION_MS);
    took.push(performance.now() - start);
  }
  return took.sort((a, b) => a - b);
}

async function readClock(redis: Redis): Promise<Pick<ServerReadings, 'serverMs' | 'clockOffsetMs'>> {
  const before = Date.now();
  const serverMs = toMs(await withDeadline(redis.time(), QUESTION_MS));
  return { serverMs, clockOffsetMs: serverMs - (before + Date.now()) / 2 };
}

/** A connection as `default` without a password proves it; otherwise the user must be allowed to ask. */
async function isOpen(redis: Redis, user: string | null, ask: Ask): Promise<boolean | null> {
  if (user === 'default' && !redis.options.password) return true;
  const account = await ask('ACL', 'GETUSER', 'default');
  if (!Array.isArray(account)) return null;
  const flags = account[account.indexOf('flags') + 1];
  return Array.isArray(flags) && flags.includes('on') && flags.includes('nopass');
}

export const pairsIn = (text: string): Map<string, string> =>
  new Map(
    text.split(/\r?\n/).flatMap((line): [string, string][] => {
      const at = line.indexOf(':');
      return at < 1 || line.startsWith('#') ? [] : [[line.slice(0, at), line.slice(at + 1)]];
    }),
  );
