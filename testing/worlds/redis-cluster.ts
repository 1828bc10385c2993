/** A real Redis Cluster on loopback: made by hand from empty nodes in about a second, gone with the test. */
import type { Redis } from 'ioredis';
import { until } from '../poll';
import type { Certificates } from './certificates';
import { portFree } from './processes';
import { startRedis, type TestRedis } from './redis-server';

export const SLOTS = 16_384;

export interface ClusterNode {
  readonly server: TestRedis;
  readonly port: number;
  /** A client of this one node, past any redirection. */
  readonly redis: Redis;
  readonly id: string;
}

export interface TestCluster {
  readonly masters: readonly ClusterNode[];
  readonly replicas: readonly ClusterNode[];
  /** For `createBroker`. */
  readonly url: string;
  /** The node that holds a key now, by the Cluster's own word. */
  ownerOf(key: string): Promise<ClusterNode>;
  /** Moves a slot as `redis-cli --cluster reshard` does: announce, move its keys a few at a time, hand over. */
  moveSlot(slot: number, to: ClusterNode, options?: MoveOptions): Promise<void>;
  /** How often the nodes refused a call with this word, such as MOVED. */
  refusals(word: string): Promise<number>;
  /** Waits until every running node calls the Cluster sound (or not). */
  settled(state?: 'ok' | 'fail', nodes?: readonly ClusterNode[]): Promise<void>;
  stop(): Promise<void>;
}
export interface MoveOptions {
  keysAtOnce?: number;
  /** Between announcing and moving, while clients are sent to and fro. */
  between?: () => Promise<void>;
  /** When the first keys are over and the rest is not: scripts of this slot are refused with TRYAGAIN. */
  halfway?: () => Promise<void>;
}

export interface ClusterOptions {
  masters?: number;
  replicasEach?: number;
  /** Settings for each node, such as ['--cluster-require-full-coverage', 'no']. */
  args?: string[];
  /** Clients are served with TLS alone, and so are the nodes among themselves. */
  tls?: Certificates;
}

export async function startCluster({
  masters: count = 3,
  replicasEach = 0,
  args = [],
  tls,
}: ClusterOptions = {}): Promise<TestCluster> {
  const all = await Promise.all(
    Array.from({ length: count * (1 + replicasEach) }, () => startNode(args, tls)),
  );
  const stop = async () => {
    await Promise.all(all.map((node) => node.server.stop()));
  };
  const masters = all.slice(0, count);
  const replicas = all.slice(count);
  const settled = async (state = 'ok', nodes: readonly ClusterNode[] = all) => {
    await until(
      async () => {
        const infos = await Promise.all(nodes.map((node) => node.redis.cluster('INFO')));
        return infos.every((info) => String(info).includes(`cluster_state:${state}`));
      },
      { what: `the Cluster to be ${state}`, timeoutMs: 20_000 },
    );
  };
  try {
    await Promise.all(
      masters.map(async (node, i) => {
        await node.redis.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
        const [from, to] = [Math.floor((i * SLOTS) / count), Math.floor(((i + 1) * SLOTS) / count) - 1];
        await node.redis.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
      }),
    );
    const first = all[0] as ClusterNode;
    for (const node of all.slice(1))
      await first.redis.call('CLUSTER', 'MEET', '127.0.0.1', node.port, busPorts.get(node.port) ?? 0);
    await until(
      async () => {
        const seen = await Promise.all(all.map(async (node) => String(await node.redis.cluster('NODES'))));
        return seen.every((text) => all.every((node) => text.includes(node.id)));
      },
      { what: 'the nodes of the Cluster to know each other', timeoutMs: 20_000 },
    );
    for (const [i, replica] of replicas.entries())
      await replica.redis.call('CLUSTER', 'REPLICATE', masters[i % count]?.id ?? '');
    await settled();
    if (replicas.length > 0)
      await until(
        async () =>
          (await Promise.all(replicas.map((node) => node.redis.info('replication')))).every((info) =>
            info.includes('master_link_status:up'),
          ),
        { what: 'the replicas to be in step', timeoutMs: 20_000 },
      );
  } catch (error) {
    await stop();
    throw error;
  }
  const byId = (id: string) => all.find((node) => node.id === id);

  return {
    masters,
    replicas,
    url: `${tls ? 'rediss' : 'redis'}+cluster://${masters.map((node) => `127.0.0.1:${node.port}`).join(',')}`,
    settled,
    stop,
    async refusals(word) {
      const infos = await Promise.all(masters.map((node) => node.redis.info('errorstats')));
      const counted = new RegExp(`errorstat_${word}:count=(\\d+)`);
      return infos.reduce((sum, info) => sum + Number(info.match(counted)?.[1] ?? 0), 0);
    },
    async ownerOf(key) {
      for (const asked of all.filter((node) => node.redis.status === 'ready')) {
        const slot = Number(await asked.redis.cluster('KEYSLOT', key));
        const ranges = await asked.redis.cluster('SLOTS');
        const range = ranges.find(([from, to]) => from <= slot && slot <= to);
        const owner = byId(range?.[2]?.[2] ?? '');
        if (owner) return owner;
      }
      throw new Error(`No node of the test Cluster holds ${key}.`);
    },
    async moveSlot(slot, to, { keysAtOnce = 1, between, halfway } = {}) {
      const ranges = await to.redis.cluster('SLOTS');
      const from = byId(ranges.find(([a, b]) => a <= slot && slot <= b)?.[2]?.[2] ?? '');
      if (!from) throw new Error(`Nobody holds slot ${slot}.`);
      if (from === to) return;
      await to.redis.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id);
      await from.redis.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id);
      await between?.();
      for (let batch = 0; ; batch++) {
        const keys = (await from.redis.call('CLUSTER', 'GETKEYSINSLOT', slot, keysAtOnce)) as string[];
        if (keys.length === 0) break;
        await from.redis.call('MIGRATE', '127.0.0.1', to.port, '', 0, 5_000, 'KEYS', ...keys);
        if (batch === 0) await halfway?.();
      }
      // The new owner first: so at every instant somebody takes the slot's calls.
      for (const node of [to, from, ...masters.filter((one) => one !== to && one !== from)])
        await node.redis.call('CLUSTER', 'SETSLOT', slot, 'NODE', to.id);
    },
  };
}

/** The bus has a port of its own, which clients never see. By default it is the port plus 10,000, which may not exist. */
const busPorts = new Map<number, number>();

async function startNode(args: string[], tls?: Certificates): Promise<ClusterNode> {
  const [port, busPort] = [await portFree(), await portFree()];
  const server = await startRedis([
    ...(tls ? [...tls.redisArgs(port), '--tls-cluster', 'yes'] : ['--port', String(port)]),
    ...['--cluster-enabled', 'yes', '--cluster-port', String(busPort)],
    ...['--cluster-node-timeout', '1000', '--cluster-config-file', 'nodes.conf'],
    ...args,
  ]);
  busPorts.set(port, busPort);
  const redis = server.connect();
  const id = String(await redis.cluster('MYID'));
  return { server, port, redis, id };
}
