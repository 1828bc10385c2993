/** Whether the Redis is fit for jobs: for users who see everything, since it says how the server is set up. */
import type { RedisChecks } from '@/lib/contract/redis/redis-check-schemas';
import { requireEverywhere } from '../authorization/require-permission';
import { getBroker } from '../console-broker';
import { singleton } from '../singleton';
import type { RequestContext } from './request-context';

/** Any number of viewers cost Redis one reading in this time. */
const FRESH_MS = 5_000;
const latest = singleton('redis-checks', () => ({ readAt: 0, checks: null as Promise<RedisChecks> | null }));

function freshChecks(now: number): Promise<RedisChecks> {
  const held = latest();
  if (held.checks !== null && now - held.readAt < FRESH_MS) return held.checks;
  held.readAt = now;
  held.checks = getBroker().inspect.redis();
  held.checks.catch(() => {
    held.checks = null;
  });
  return held.checks;
}

export const authorizedRedis = ({ principal }: RequestContext) => ({
  /** At most five seconds old. @throws RedriveError FORBIDDEN | REDIS_UNAVAILABLE */
  async checks(): Promise<RedisChecks> {
    requireEverywhere(principal, 'view');
    return freshChecks(Date.now());
  },
});
