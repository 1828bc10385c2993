/** Is this Redis fit for jobs: every check, on each server. Used by `redrive doctor` and the console's page. */
import type { RedisChecks } from '@/lib/contract/redis/redis-check-schemas';
import { worstVerdict } from '@/lib/contract/redis/redis-check-verdicts';
import type { BrokerContext } from '../broker-context';
import { addressOf } from '../cluster-nodes';
import { isCluster } from '../server-check';
import { serverNow } from '../server-info';
import type { RedisCheck } from './check-types';
import { DURABILITY_CHECKS, MEMORY_CHECKS } from './memory-checks';
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

/** Of a Cluster each master. @throws RedriveError REDIS_UNAVAILABLE | REDIS_UNSAFE */
export async function checkRedis(ctx: BrokerContext): Promise<RedisChecks> {
  const servers = await ctx.plain(async (redis) => {
    const nodes = isCluster(redis) ? redis.nodes('master') : [redis];
    return Promise.all(
      nodes.map(async (node) => {
        const readings = await readServer(node);
        return {
          node: isCluster(redis) ? addressOf(node) : null,
          version: readings.info.get('redis_version') ?? '',
          checks: judgeServer(readings),
        };
      }),
    );
  });
  const verdict = worstVerdict(servers.flatMap(({ checks }) => checks.map((check) => check.verdict)));
  return { at: await serverNow(ctx), verdict, servers };
}
