/**
 * A claim that stands in line behind a blocking wait, on its connection. Redis runs it in the moment a job ends the wait, so a job that comes to
 * an idle worker saves the wake-up's way to the worker and back. Only where exchange-plain will do (ADR 14): it changes nothing where it will not.
 */
import { perContext } from '@/lib/broker/redis/context-cache';
import { toRedriveError } from '@/lib/broker/redis/redis-errors';
import { isNoScript, scriptKeys, sendBehindWait } from '@/lib/broker/redis/script-runner';
import { takesCommands } from '@/lib/broker/redis/scripts/script-command';
import { isCluster } from '@/lib/broker/redis/server-check';
import type { CallBehindWait } from '@/lib/broker/redis/waiter';
import type { ShardedContext } from '@/lib/broker/shards/sharded-context';
import type { ClaimOptions } from '@/lib/contract/jobs/claim-options';
import { randomId } from '../job-id';
import {
  CALLS_BEFORE_PLAIN,
  type ClaimResult,
  goesBy,
  NO_ACKS,
  NOT_PLAIN,
  readPlain,
} from './claim-from-shard';
import { parseClaimOptions } from './parse-claim-options';

/** Queue → waits still to go by before it is tried again. Queues where it works are not in it. */
const notPlain = perContext(() => new Map<string, number>());
/** What scripts take for their clock: Redis's own. */
const REDIS_TIME = '';

export interface ClaimBehindWait {
  /** For `wait` of a waiter. */
  readonly send: CallBehindWait;
  /**
   * What it claimed, once the wait is over. Null: nothing was done, claim as usual.
   * @throws RedriveError UNKNOWN_OUTCOME: then `abandon` the nonce, as unindexed | REDIS_UNAVAILABLE
   */
  result(): Promise<ClaimResult | null>;
}

/**
 * Null: this queue cannot be claimed from so. The lease runs from the moment of the claim, which only Redis knows.
 * @throws RedriveError VALIDATION
 */
export function claimBehindWait(
  ctx: ShardedContext,
  queue: string,
  options: ClaimOptions,
): ClaimBehindWait | null {
  if (ctx.shards.recent(queue)?.count !== 1) return null;
  if (isCluster(ctx.redis) || !takesCommands(ctx.redis)) return null;
  // It goes past the check of the server and its data that other calls wait for.
  if (!ctx.isChecked()) return null;
  // A test's clock would be read when the wait begins.
  if (ctx.clock) return null;
  const waits = notPlain.of(ctx);
  if (goesBy(waits, queue)) return null;
  const { count, leaseMs, worker, nonce = randomId(16) } = parseClaimOptions(options);
  let reply: Promise<unknown> | null = null;
  return {
    send(redis) {
      const keys = scriptKeys(ctx.keys, 'exchange-plain', queue);
      const args = [REDIS_TIME, count, leaseMs, worker, nonce, ...NO_ACKS];
      reply = sendBehindWait(redis, 'exchange-plain', keys, args);
      // `result` is asked for after the wait.
      reply.catch(() => undefined);
    },
    async result() {
      if (!reply) return null;
      try {
        const answer = await reply;
        if (answer === NOT_PLAIN) {
          waits.set(queue, CALLS_BEFORE_PLAIN);
          return null;
        }
        return await readPlain(ctx, queue, answer, nonce, leaseMs);
      } catch (error) {
        if (isNoScript(error)) return null;
        throw toRedriveError(error);
      }
    },
  };
}
