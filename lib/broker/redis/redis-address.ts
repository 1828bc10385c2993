/** Redis addresses: kind, place and user in one text. Errors never repeat it: a host of a mistyped address may be half of a password. */
import { RedriveError } from '@/lib/contract/redrive-error';

export interface HostPort {
  host: string;
  port: number;
}
interface Common {
  username: string | undefined;
  password: string | undefined;
  db: number;
  secure: boolean;
  /** 4 or 6 to insist on that version of IP; 0, as without it: either. */
  family: number | undefined;
  files: { caFile?: string; certFile?: string; keyFile?: string; servername?: string };
}
export type RedisAddress = Common &
  (
    | { kind: 'server'; hostPort: HostPort }
    | { kind: 'socket'; path: string }
    | {
        kind: 'sentinel';
        sentinels: HostPort[];
        master: string;
        sentinelUsername: string | undefined;
        sentinelPassword: string | undefined;
      }
    | { kind: 'cluster'; nodes: HostPort[] }
  );

const KINDS = {
  redis: { kind: 'server', secure: false, port: 6_379 },
  rediss: { kind: 'server', secure: true, port: 6_379 },
  'redis+sentinel': { kind: 'sentinel', secure: false, port: 26_379 },
  'rediss+sentinel': { kind: 'sentinel', secure: true, port: 26_379 },
  'redis+cluster': { kind: 'cluster', secure: false, port: 6_379 },
  'rediss+cluster': { kind: 'cluster', secure: true, port: 6_379 },
  unix: { kind: 'socket', secure: false, port: 0 },
  'redis+unix': { kind: 'socket', secure: false, port: 0 },
} as const;
const FILE_OPTIONS = ['caFile', 'certFile', 'keyFile', 'servername'] as const;
const HOSTS_SHOWN = 5;
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])$/;

/** @throws RedriveError VALIDATION, with a sentence that names the part that is wrong and never repeats it */
export function parseRedisUrl(url: string): RedisAddress {
  const text = url.startsWith('/') ? `unix://${url}` : url;
  const [, scheme = '', authority = '', path = '', query = '', fragment] =
    text.match(/^([a-z+]+):\/\/([^/?#]*)([^?#]*)\??([^#]*)(#.*)?$/s) ?? [];
  const form = Object.hasOwn(KINDS, scheme) ? KINDS[scheme as keyof typeof KINDS] : undefined;
  if (!form)
    throw wrong(
      'must be the path of a unix socket or start with redis://, rediss://, redis+sentinel://, rediss+sentinel://, redis+cluster://, rediss+cluster:// or unix://',
    );
  if (fragment !== undefined) throw wrong('holds a "#": write it %23 if it is part of the password');
  const at = authority.lastIndexOf('@');
  const [username, password] = credentials(authority.slice(0, Math.max(at, 0)));
  const hosts = authority.slice(at + 1);
  const { secure } = form;
  const options = readQuery(query, form.kind, secure);
  const common = { username, password, secure, family: numberOption(options, 'family', [4, 6, 0]) };
  const files = Object.fromEntries(
    FILE_OPTIONS.flatMap((name) => {
      const value = options.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const dbOption = numberOption(options, 'db');
  const rest = { ...common, files, db: dbOption ?? 0 };

  if (form.kind === 'socket') {
    if (hosts !== '' || path.length < 2)
      throw wrong('must name the socket by its whole path, such as unix:///run/redis/redis.sock');
    return { kind: 'socket', path: decode(path, 'path of the socket'), ...rest };
  }
  const hostPorts = hosts === '' ? [] : hosts.split(',').map((host) => readHostPort(host, form.port));
  if (hostPorts.length === 0)
    throw wrong('names no host: it follows "://", or the "@" after user and password');
  const tail = decode(path.replace(/^\//, ''), 'part after the host');
  if (form.kind === 'sentinel') {
    if (!/^[A-Za-z0-9._-]+$/.test(tail))
      throw wrong(
        'must end in the name Sentinel gave the master: redis+sentinel://host:26379,host:26379/mymaster',
      );
    const sentinelUsername = options.get('sentinelUsername');
    const sentinelPassword = options.get('sentinelPassword');
    return {
      kind: 'sentinel',
      sentinels: hostPorts,
      master: tail,
      sentinelUsername,
      sentinelPassword,
      ...rest,
    };
  }
  if (form.kind === 'cluster') {
    if ((tail !== '' && tail !== '0') || rest.db !== 0)
      throw wrong('names a database, but a Cluster has only database 0: leave it out');
    return { kind: 'cluster', nodes: hostPorts, ...rest };
  }
  if (hostPorts.length > 1)
    throw wrong(
      'names several hosts: use redis+cluster:// for a Cluster or redis+sentinel:// for Sentinels, or name one host',
    );
  if (!/^\d{0,5}$/.test(tail)) throw wrong('must end in the number of a database, such as /0, or in nothing');
  return { kind: 'server', hostPort: hostPorts[0] as HostPort, ...rest, db: tail ? Number(tail) : rest.db };
}

/** The problem of an address, to put after the name of its setting; null: none. */
export function redisUrlProblem(url: string): string | null {
  try {
    parseRedisUrl(url);
    return null;
  } catch (error) {
    return error instanceof RedriveError ? (error.fields[0]?.message ?? error.message) : String(error);
  }
}

/** None of a socket; of Sentinels theirs. */
export function hostPortsOf(address: RedisAddress): readonly HostPort[] {
  if (address.kind === 'server') return [address.hostPort];
  if (address.kind === 'sentinel') return address.sentinels;
  return address.kind === 'cluster' ? address.nodes : [];
}

/** Its hosts and ports, or its socket, for people who repair it: never a user or a password. */
export function redisHosts(url: string): string {
  const address = parseRedisUrl(url);
  if (address.kind === 'socket') return address.path;
  const hosts = hostPortsOf(address)
    .slice(0, HOSTS_SHOWN)
    .map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
    .join(', ');
  return address.kind === 'sentinel' ? `${address.master} by the Sentinels ${hosts}` : hosts;
}

const wrong = (message: string) =>
  new RedriveError('VALIDATION', `The Redis address ${message}.`, { fields: [{ field: 'url', message }] });

function credentials(text: string): [string | undefined, string | undefined] {
  if (text === '') return [undefined, undefined];
  const colon = text.indexOf(':');
  const user = decode(colon < 0 ? text : text.slice(0, colon), 'user name');
  const secret = colon < 0 ? '' : decode(text.slice(colon + 1), 'password');
  if (user !== '' && secret === '')
    throw wrong('names a user without a password: write user:password@, or :password@ for the default user');
  return [user || undefined, secret || undefined];
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong(`has a "%" in its ${what} that starts no code: write it %25`);
  }
}

function readHostPort(text: string, defaultPort: number): HostPort {
  const [, host = '', port] = text.match(/^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s) ?? [];
  if (!HOST.test(host))
    throw wrong(
      'has a host that is none: letters, digits, dots and dashes, or an IPv6 address in brackets. A "/", "?", "@" or ":" in a user name or password is written %2F, %3F, %40 or %3A',
    );
  const number = port === undefined || port === '' ? defaultPort : /^\d{1,5}$/.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535)
    throw wrong(
      'has a port that is no number from 1 to 65535. A "/", "?" or ":" in a password is written %2F, %3F or %3A',
    );
  return { host: host.replace(/^\[|\]$/g, ''), port: number };
}

function readQuery(query: string, kind: RedisAddress['kind'], secure: boolean): Map<string, string> {
  const known = ['db', 'family', ...(secure ? FILE_OPTIONS : [])];
  if (kind === 'sentinel') known.push('sentinelUsername', 'sentinelPassword');
  const options = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (!known.includes(name))
      throw wrong(`has an option after its "?" that is not known here; known are ${known.join(', ')}`);
    options.set(name, value);
  }
  return options;
}

function numberOption(options: Map<string, string>, name: string, allowed?: number[]): number | undefined {
  const text = options.get(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || (allowed && !allowed.includes(Number(text))))
    throw wrong(
      `has an option ${name} that is not ${allowed ? allowed.join(', ').replace(/, (?=\d$)/, ' or ') : 'the number of a database'}`,
    );
  return Number(text);
}
