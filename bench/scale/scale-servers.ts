/** One Redis, or a Cluster of three, with an append-only file; and what they have used so far. */
import type { Redis } from 'ioredis';
import { startCluster } from '@/testing/worlds/redis-cluster';
import { startRedisOnPort } from '@/testing/worlds/redis-server';
import { AOF_ARGS, cpuUsOf, logBytesOf, removeAtExit } from '../harness/bench-server';
import { memoryAtRest } from '../harness/redis-memory';

const NODES = 3;

/** Totals since the start, over all nodes. */
export interface Usage {
  /** Processor time of each node, in µs. */
  readonly nodeUs: readonly number[];
  /** From and to clients, in bytes. */
  readonly received: number;
  readonly sent: number;
  readonly aofBytes: number;
}

export interface ScaleServers {
  readonly url: string;
  usage(): Promise<Usage>;
  /** Bytes of the data, once they stay the same. */
  dataBytes(): Promise<number>;
  stop(): Promise<void>;
}

export async function startServers(cluster: boolean): Promise<ScaleServers> {
  const { url, nodes, dirs, stop } = cluster ? await startNodes() : await startOne();
  const forget = dirs.map(removeAtExit);
  return {
    url,
    async usage() {
      const read = await Promise.all(nodes.map(usageOf));
      const sum = (of: (one: NodeUsage) => number) => read.reduce((total, one) => total + of(one), 0);
      return {
        nodeUs: read.map(({ us }) => us),
        received: sum(({ received }) => received),
        sent: sum(({ sent }) => sent),
        aofBytes: sum(({ aofBytes }) => aofBytes),
      };
    },
    async dataBytes() {
      const all = await Promise.all(nodes.map(memoryAtRest));
      return all.reduce((sum, { bytes }) => sum + bytes, 0);
    },
    async stop() {
      await stop();
      for (const done of forget) done();
    },
  };
}

async function startOne() {
  const server = await startRedisOnPort(AOF_ARGS);
  return { url: server.url, nodes: [server.connect()], dirs: [server.dir], stop: () => server.stop() };
}

async function startNodes() {
  const cluster = await startCluster({ masters: NODES, args: AOF_ARGS });
  const { masters, url, stop } = cluster;
  return {
    url,
    nodes: masters.map(({ redis }) => redis),
    dirs: masters.map(({ server }) => server.dir),
    stop,
  };
}

interface NodeUsage {
  us: number;
  received: number;
  sent: number;
  aofBytes: number;
}

async function usageOf(redis: Redis): Promise<NodeUsage> {
  const [us, aofBytes, stats] = await Promise.all([cpuUsOf(redis), logBytesOf(redis), redis.info('stats')]);
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(stats)?.[1]);
  return {
    us,
    aofBytes,
    received: field('total_net_input_bytes'),
    sent: field('total_net_output_bytes'),
  };
}
