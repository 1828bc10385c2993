import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseRedisUrl, redisHosts } from './redis-address';
import { openRedis } from './redis-connection';

const h = (host: string, port: number) => ({ host, port });

describe('an address', () => {
  it.each([
    ['redis://127.0.0.1', { kind: 'server', hostPort: h('127.0.0.1', 6379), db: 0, secure: false }],
    ['redis://h:7000/3', { kind: 'server', hostPort: h('h', 7000), db: 3 }],
    ['redis://h/?db=4', { kind: 'server', db: 4 }],
    ['redis://h?family=0', { kind: 'server', hostPort: h('h', 6379), family: 0 }],
    ['redis://[::1]:7000?family=6', { kind: 'server', hostPort: h('::1', 7000), family: 6 }],
    ['redis://ann:s%40%2Fcret@h', { username: 'ann', password: 's@/cret' }],
    ['redis://ann:p@ss:word@h', { username: 'ann', password: 'p@ss:word' }],
    ['redis://:only@h', { username: undefined, password: 'only' }],
    ['rediss://h', { kind: 'server', secure: true }],
    ['rediss://h?caFile=/etc/ca.pem&servername=r', { files: { caFile: '/etc/ca.pem', servername: 'r' } }],
    ['/run/redis.sock', { kind: 'socket', path: '/run/redis.sock', db: 0 }],
    ['/run/redis.sock?db=2', { kind: 'socket', path: '/run/redis.sock', db: 2 }],
    ['unix:///run/a%20b.sock', { kind: 'socket', path: '/run/a b.sock' }],
    ['redis+unix://ann:x@/run/r.sock', { kind: 'socket', path: '/run/r.sock', username: 'ann' }],
    [
      'redis+sentinel://ann:x@a:1,b,[::1]:3/main.one?db=2&sentinelPassword=y',
      {
        kind: 'sentinel',
        sentinels: [h('a', 1), h('b', 26379), h('::1', 3)],
        master: 'main.one',
        db: 2,
        username: 'ann',
        password: 'x',
        sentinelPassword: 'y',
      },
    ],
    ['rediss+sentinel://a/m', { kind: 'sentinel', secure: true }],
    ['redis+cluster://a:1,b:2', { kind: 'cluster', nodes: [h('a', 1), h('b', 2)] }],
    ['rediss+cluster://ann:x@a:1/0', { kind: 'cluster', secure: true, username: 'ann' }],
  ])('%s', (url, expected) => {
    expect(parseRedisUrl(url)).toMatchObject(expected);
  });

  it.each([
    ['redis://ann:s3cret@cache.internal', 'cache.internal:6379'],
    ['redis://:s3cret@[::1]:7000/3', '[::1]:7000'],
    ['redis+unix://ann:s3cret@/run/r.sock', '/run/r.sock'],
    ['redis+sentinel://ann:s3cret@a:1,b/main?sentinelPassword=s3cret', 'main by the Sentinels a:1, b:26379'],
    ['redis+cluster://ann:s3cret@a:1,b:2,c:3,d:4,e:5,f:6', 'a:1, b:2, c:3, d:4, e:5'],
  ])('%s: its hosts are told without user and password', (url, hosts) => {
    expect(redisHosts(url)).toBe(hosts);
  });
});

describe('a bad address', () => {
  it.each([
    ['', /must be the path of a unix socket or start with redis:/],
    ['localhost:6379', /must be the path/],
    ['http://hunter2@h', /must be the path/],
    ['redis://', /names no host/],
    ['redis://ann:hunter2@', /names no host/],
    ['redis://ann@h', /a user without a password/],
    ['redis://ann:hunter2/x@h', /port that is no number.*%2F/],
    ['redis://ann:12/hunter2@h', /number of a database/],
    ['redis://ann:hun#ter2@h', /"#": write it %23/],
    ['redis://ann:hunter2%@h', /"%" in its password/],
    ['redis://h:0', /1 to 65535/],
    ['redis://h:65536', /1 to 65535/],
    ['redis://h unter2:1', /host that is none/],
    ['redis://h/hunter2', /number of a database/],
    ['redis://a,b', /several hosts.*redis\+cluster/],
    ['redis://h?hunter2=1', /option after its "\?" that is not known here; known are db, family\./],
    ['redis://h?caFile=/x', /known are db, family\./],
    ['redis://h?db=x', /option db/],
    ['redis://h?family=5', /4, 6 or 0/],
    ['redis+sentinel://a:1', /name Sentinel gave the master/],
    ['redis+cluster://a/3', /only database 0/],
    ['redis+cluster://a?db=3', /only database 0/],
    ['unix://', /whole path/],
    ['unix://host/run/x', /whole path/],
  ])('%s is refused, and nothing of it repeated', (url, message) => {
    let error: unknown;
    try {
      parseRedisUrl(url);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      code: 'VALIDATION',
      message: expect.stringMatching(message),
      fields: [{ field: 'url' }],
    });
    expect(inspect(error, { depth: 9 })).not.toMatch(/hunter|ter2|ann/);
  });
});

describe('TLS files', () => {
  it.each([
    [
      'rediss://h',
      { caFile: '/nowhere/ca.pem' },
      /tls\.caFile: the file \/nowhere\/ca\.pem cannot be read \(ENOENT\)/,
    ],
    [
      'rediss://h',
      { keyFile: import.meta.filename.replace('.test', '') },
      /tls\.keyFile: .* nothing in PEM form/,
    ],
    ['redis://h', { caFile: '/nowhere/ca.pem' }, /start it with rediss:\/\//],
  ])('for %s, given %o', (url, tls, message) => {
    expect(() => openRedis(url, { tls })).toThrow(message);
  });
});
