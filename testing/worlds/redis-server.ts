/**
 * A real Redis for one test file: on a unix socket in a folder nobody else may enter, so files run side by side without
 * sharing ports or data. It starts in some 20 ms.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Redis, type RedisOptions } from 'ioredis';
import { type Child, describeExit, startChild } from '@/scripts/lib/children.mjs';
import { redisAnswers } from '@/scripts/lib/free-ports.mjs';
import { findServer } from '@/scripts/setup/redis-setup.mjs';
import { until } from '../poll';
import { portFree } from './processes';

export interface TestRedis {
  /** The unix socket. ioredis takes it wherever it takes an address. */
  readonly path: string;
  readonly dir: string;
  readonly pid: number;
  /** redis://…, when it was started with a port; for processes that want an address. */
  readonly url: string | undefined;
  /** A client of its own; `stop` closes it. */
  connect(options?: RedisOptions): Redis;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
  /** Ends or freezes the server as a crash would (SIGKILL, SIGSTOP, SIGCONT); clients stay, and find out. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same socket and data, ending it first if need be. */
  restart(): Promise<void>;
}

/** @param extraArgs settings such as ['--appendonly', 'yes'] or ['--port', '6390'] (see `startRedisOnPort`) */
export async function startRedis(extraArgs: string[] = []): Promise<TestRedis> {
  // mkdtemp gives 0700. The folder stays right under the temp folder: a socket's path may have about 100 letters.
  const dir = await mkdtemp(join(tmpdir(), 'redrive-'));
  const path = join(dir, 'redis.sock');
  const clients = new Set<Redis>();
  const server = findServer();
  const port = portIn(extraArgs);
  const args = ['--port', '0', '--unixsocket', path, '--unixsocketperm', '700', '--bind', '127.0.0.1'];
  args.push(
    '--dir',
    dir,
    '--save',
    '',
    '--appendonly',
    'no',
    '--maxmemory-policy',
    'noeviction',
    ...extraArgs,
  );

  const launch = async (): Promise<Child> => {
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = startChild(server.bin, args, { name: 'the test Redis', env: server.env, stdio });
    let log = '';
    for (const stream of [child.process.stdout, child.process.stderr])
      stream?.on('data', (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-4_000);
      });
    const ready = until(() => !child.running() || redisAnswers({ path }), {
      timeoutMs: 10_000,
      what: 'the test Redis to answer PING',
    });
    await ready.catch(async (error: unknown) => {
      await child.stop();
      throw error;
    });
    if (!child.running())
      throw new Error(`The test Redis ${describeExit(await child.exited)}. It said:\n${log}`);
    return child;
  };

  let child = await launch();
  return {
    path,
    dir,
    url: port ? `redis://127.0.0.1:${port}` : undefined,
    get pid() {
      return child.pid;
    },
    connect(options = {}) {
      const client = new Redis({ path, ...options });
      // A test that kills the server means it: the error is for the test to see, not for the process to die of.
      client.on('error', () => {});
      clients.add(client);
      client.once('end', () => clients.delete(client));
      return client;
    },
    async stop() {
      for (const client of clients) client.disconnect();
      clients.clear();
      await child.stop({ graceMs: 1_000 });
      await rm(dir, { recursive: true, force: true });
    },
    async kill(signal = 'SIGKILL') {
      child.process.kill(signal);
      if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await child.stop();
    },
    async restart() {
      await child.stop();
      child = await launch();
    },
  };
}

/** As `startRedis`, and on a free loopback port as well. */
export async function startRedisOnPort(
  extraArgs: string[] = [],
): Promise<TestRedis & { readonly url: string }> {
  const port = await portFree();
  const redis = await startRedis([...extraArgs, '--port', String(port)]);
  return Object.assign(redis, { url: `redis://127.0.0.1:${port}` });
}

function portIn(args: string[]): string | undefined {
  const at = args.lastIndexOf('--port');
  return at < 0 ? undefined : args[at + 1];
}

/** The Redis users of docs/connections.md, with their rules as they stand there. */
export const documentedUsers = (): { user: string; password: string; rules: string[] }[] =>
  [
    ...readFileSync(resolve(import.meta.dirname, '../../docs/connections.md'), 'utf8').matchAll(
      /^ACL SETUSER (\S+) (.*)$/gm,
    ),
  ].map(([, user = '', text = '']) => {
    const rules = text.split(' ');
    return { user, password: rules.find((rule) => rule.startsWith('>'))?.slice(1) ?? '', rules };
  });

/** Makes all of them. @param more rules each of them gets besides */
export async function makeDocumentedUsers(admin: Redis, more: string[] = []): Promise<void> {
  for (const { user, rules } of documentedUsers())
    await admin.call('ACL', 'SETUSER', user, ...rules, ...more);
}
