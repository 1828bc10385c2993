/** Is this Redis fit for jobs: every check, on each server. Used by `redrive doctor` and the console's page. */
import type { Redis } from 'ioredis';
import type { RedisCheckResult, RedisChecks } from '@/lib/contract/redis/redis-check-schemas';
import { worstVerdict } from '@/lib/contract/redis/redis-check-verdicts';
import type { BrokerContext } from '../broker-context';
import { addressOf } from '../cluster-nodes';
import { isCluster } from '../server-check';
import { bad, type RedisCheck } from './check-types';
import { DURABILITY_CHECKS, MEMORY_CHECKS } from './memory-checks';
import { versionOf } from './redis-advice';
import { SECURITY_CHECKS, SERVER_CHECKS } from './security-checks';
import { readServer, type ServerReadings } from './server-readings';
import { CLIENT_CHECKS, LATENCY_CHECKS, REPLICATION_CHECKS, SCRIPT_CHECKS } from './service-checks';

export const REDIS_CHECKS: readonly RedisCheck[] = [
  ...MEMORY_CHECKS,
  ...DURABILITY_CHECKS,
  ...REPLICATION_CHECKS,
  ...CLIENT_CHECKS,
  ...LATENCY_CHECKS,
  ...SCRIPT_CHECKS,
  ...SECURITY_CHECKS,
  ...SERVER_CHECKS,
];

/** In the order of the list; a check that does not apply is left out. */
export const judgeServer = (readings: ServerReadings) =>
  REDIS_CHECKS.flatMap(({ judge, ...check }) => {
    const judgement = judge(readings);
    return judgement === null ? [] : [{ ...check, ...judgement }];
  });

/** The only row of a master of a Cluster that does not answer. */
const NO_ANSWER: RedisCheckResult = {
  id: 'answers',
  topic: 'server',
  title: 'Answers',
  why: 'Until it does, nothing happens in its queues.',
  ...bad('does not answer, or refuses every call', 'Start this node, or promote its replica.'),
};

interface NodeReadings {
  /** Null: the only server. */
  readonly node: string | null;
  /** Null: it does not answer. */
  readonly readings: ServerReadings | null;
}

/** Of a Cluster each master. @throws RedriveError REDIS_UNAVAILABLE | REDIS_UNSAFE */
export async function checkRedis(ctx: BrokerContext): Promise<RedisChecks> {
  const read = (redis: Redis) => readServer(redis, performance.now(), ctx.keys.prefix);
  const nodes = await ctx.plain(
    async (redis): Promise<NodeReadings[]> =>
      isCluster(redis)
        ? readMasters(redis.nodes('master'), read)
        : [{ node: null, readings: await read(redis) }],
  );
  const servers = nodes.map(({ node, readings }) => ({
    node,
    version: versionOf((name) => readings?.info.get(name)),
    checks: readings === null ? [NO_ANSWER] : judgeServer(readings),
  }));
  const verdict = worstVerdict(servers.flatMap(({ checks }) => checks.map((check) => check.verdict)));
  const serverMs = nodes.find(({ readings }) => readings !== null)?.readings?.serverMs ?? 0;
  return { at: ctx.clock?.() ?? serverMs, verdict, servers };
}

/** @throws the error of the first when none answers */
async function readMasters(
  masters: readonly Redis[],
  read: (node: Redis) => Promise<ServerReadings>,
): Promise<NodeReadings[]> {
  const answers = await Promise.allSettled(masters.map(read));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  if (failures.length === answers.length)
    throw failures[0] ?? new Error('None of startup nodes is available');
  return masters.map((node, i) => {
    const answer = answers[i];
    return { node: addressOf(node), readings: answer?.status === 'fulfilled' ? answer.value : null };
  });
}
