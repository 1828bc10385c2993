/** What a team needs at a rate, from the measured cost of a job. */
import type { PointResult } from './scale-report';

/** A Redis node runs scripts on one core. At half of it, a job rarely waits behind another, and a failed node's load fits on the others. */
export const NODE_SHARE = 0.5;
/** A Cluster takes at least three masters. */
const NODES_MIN = 3;
const SHARDS_MAX = 64;
/** Their slots fall on nodes by chance: with several a node, the busiest node has little more than the others. */
const SHARDS_PER_NODE = 4;
/** What waits after workers were away for so long. */
export const BACKLOG_SECONDS = 600;

export interface Needs {
  readonly perSecond: number;
  /** What one worker process runs. */
  readonly perProcess: number;
  readonly processes: number;
  /** Share of a core that each of them spends, without the handlers. */
  readonly processShare: number;
  /** Cores of all processes that enqueue. */
  readonly producerCores: number;
  readonly redisCores: number;
  readonly nodes: number;
  readonly shards: number;
  /** MB a second to and from Redis, and written to append-only files. */
  readonly toRedisMb: number;
  readonly fromRedisMb: number;
  readonly logMb: number;
  /** GB of the jobs that wait after `BACKLOG_SECONDS` without workers. */
  readonly backlogGb: number;
}

export type Cost = Pick<
  PointResult,
  'enqueueClientUs' | 'runClientUs' | 'redisUs' | 'receivedBytes' | 'sentBytes' | 'aofBytes'
>;

/** @param perProcess the rate at which `cost` was measured, with one worker process */
export function needsAt(perSecond: number, perProcess: number, cost: Cost, waitingJobBytes: number): Needs {
  const redisCores = (perSecond * cost.redisUs) / 1e6;
  const nodes = Math.max(NODES_MIN, Math.ceil(redisCores / NODE_SHARE));
  return {
    perSecond,
    perProcess,
    processes: Math.ceil(perSecond / perProcess),
    processShare: (perProcess * cost.runClientUs) / 1e6,
    producerCores: (perSecond * cost.enqueueClientUs) / 1e6,
    redisCores,
    nodes,
    shards: shardsFor(nodes),
    toRedisMb: (perSecond * cost.receivedBytes) / 1e6,
    fromRedisMb: (perSecond * cost.sentBytes) / 1e6,
    logMb: (perSecond * cost.aofBytes) / 1e6,
    backlogGb: (perSecond * BACKLOG_SECONDS * waitingJobBytes) / 1e9,
  };
}

/** A power of two, several a node. */
export const shardsFor = (nodes: number): number =>
  Math.min(SHARDS_MAX, 2 ** Math.ceil(Math.log2(nodes * SHARDS_PER_NODE)));
