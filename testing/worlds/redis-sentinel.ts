/** A master, a replica and three Sentinels on loopback, as real as anywhere: what kills or fails over is the test's choice. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type Child, startChild } from '@/scripts/lib/children.mjs';
import { findServer } from '@/scripts/setup/redis-setup.mjs';
import { until } from '../poll';
import type { Certificates } from './certificates';
import { portFree } from './processes';
import { startRedis, type TestRedis } from './redis-server';

export interface DataNode {
  readonly server: TestRedis;
  readonly port: number;
  readonly redis: Redis;
}
export interface TestSentinels {
  /** Two nodes; which of them is the master changes. */
  readonly nodes: readonly [DataNode, DataNode];
  readonly sentinelPorts: readonly number[];
  /** For `createBroker`. */
  readonly url: string;
  /** The master, by the word of the first Sentinel that answers. */
  master(): Promise<DataNode>;
  /** Resolves when Sentinel, master and replica agree on who is who and the replica is in step. */
  settled(): Promise<void>;
  /** Asks a Sentinel to change places. */
  failover(): Promise<void>;
  killSentinel(index: number): Promise<void>;
  stop(): Promise<void>;
}

const NAME = 'mymaster';

export interface SentinelOptions {
  redisArgs?: string[];
  /** Everybody speaks TLS, and nothing else. */
  tls?: Certificates;
  /** Both Redis and the Sentinels want this password. */
  password?: string;
}

export async function startSentinels({
  redisArgs = [],
  tls,
  password,
}: SentinelOptions = {}): Promise<TestSentinels> {
  const args = ['--appendonly', 'yes', '--repl-diskless-sync-delay', '0', ...redisArgs];
  const listen = (port: number) =>
    tls ? [...tls.redisArgs(port), '--tls-replication', 'yes'] : ['--port', `${port}`];
  const startNode = async (...more: string[]): Promise<DataNode> => {
    const port = await portFree();
    const server = await startRedis([...args, ...listen(port), ...more]);
    // Set once it answers: a server that wants a password does not answer a bare PING.
    const redis = server.connect();
    if (password) {
      await redis.config('SET', 'masterauth', password);
      await redis.config('SET', 'requirepass', password);
      redis.options.password = password;
    }
    return { server, port, redis };
  };
  const first = await startNode();
  const second = await startNode('--replicaof', '127.0.0.1', String(first.port));
  const nodes = [first, second] as const;
  const sentinels: { child: Child; port: number; redis: Redis }[] = [];
  const stop = async () => {
    for (const { redis } of sentinels) redis.disconnect();
    await Promise.all(sentinels.map(({ child }) => child.stop({ graceMs: 500 })));
    await Promise.all(nodes.map(({ server }) => server.stop()));
  };
  const ask = async (...command: [string, ...(string | number)[]]): Promise<unknown> => {
    let problem: unknown;
    for (const { redis } of sentinels)
      try {
        return await redis.call(...command);
      } catch (error) {
        problem = error;
      }
    throw problem;
  };
  const master = async () => {
    const [, port] = (await ask('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME)) as string[];
    const node = nodes.find((one) => String(one.port) === port);
    if (!node) throw new Error('Sentinel names a master that is not ours.');
    return node;
  };
  const settled = async () => {
    await until(
      async () => {
        const now = await master();
        const other = nodes.find((node) => node !== now) as DataNode;
        const [a, b] = await Promise.all([now.redis.info('replication'), other.redis.info('replication')]);
        const replicas = JSON.stringify(await ask('SENTINEL', 'REPLICAS', NAME));
        return (
          a.includes('role:master') &&
          b.includes('role:slave') &&
          b.includes('master_link_status:up') &&
          replicas.includes(String(other.port)) &&
          !/s_down|disconnected/.test(replicas)
        );
      },
      { what: 'master, replica and Sentinels to agree', timeoutMs: 30_000, everyMs: 50 },
    );
  };
  try {
    const { bin, env } = findServer();
    for (let i = 0; i < 3; i++) {
      const port = await portFree();
      const file = join(first.server.dir, `sentinel-${i}.conf`);
      await writeFile(
        file,
        [
          ...(tls ? listen(port) : ['--port', `${port}`])
            .join(' ')
            .replaceAll('--', '\n')
            .split('\n')
            .filter(Boolean),
          ...(tls ? ['port 0'] : []),
          'bind 127.0.0.1',
          ...(password ? [`requirepass ${password}`] : []),
          `sentinel monitor ${NAME} 127.0.0.1 ${first.port} 2`,
          `sentinel down-after-milliseconds ${NAME} 1000`,
          `sentinel failover-timeout ${NAME} 6000`,
          ...(password ? [`sentinel auth-pass ${NAME} ${password}`] : []),
          '',
        ].join('\n'),
        { mode: 0o600 },
      );
      const child = startChild(bin, [file, '--sentinel'], {
        name: `Sentinel ${i}`,
        env,
        stdio: ['ignore', 'ignore', 'ignore'],
      });
      const redis = new Redis({
        ...{ port, host: '127.0.0.1', commandTimeout: 1_000, maxRetriesPerRequest: 0, password },
        tls: tls ? { ca: readFileSync(tls.caFile) } : undefined,
      });
      redis.on('error', () => undefined);
      sentinels.push({ child, port, redis });
      await until(async () => (await redis.ping()) === 'PONG', {
        what: `Sentinel ${i} to answer`,
        timeoutMs: 10_000,
      });
    }
    await until(
      async () =>
        (
          await Promise.all(
            sentinels.map(({ redis }) => redis.call('SENTINEL', 'SENTINELS', NAME) as Promise<unknown[]>),
          )
        ).every((others) => others.length === 2),
      { what: 'the Sentinels to know each other', timeoutMs: 20_000 },
    );
    await settled();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    nodes,
    sentinelPorts: sentinels.map(({ port }) => port),
    url: `${tls ? 'rediss' : 'redis'}+sentinel://${password ? `:${password}@` : ''}${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${NAME}${password ? `?sentinelPassword=${password}` : ''}`,
    master,
    settled,
    async failover() {
      await ask('SENTINEL', 'FAILOVER', NAME);
    },
    async killSentinel(index) {
      sentinels[index]?.child.process.kill('SIGKILL');
      await sentinels[index]?.child.stop();
    },
    stop,
  };
}
