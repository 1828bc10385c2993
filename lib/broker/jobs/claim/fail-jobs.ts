import { errorJson } from '@/lib/broker/access/actor';
import { retryRules } from '@/lib/broker/queues/settings/queue-retry-rules';
import type { BrokerContext } from '@/lib/broker/redis/broker-context';
import { replyList, replyOutcomes, replyText } from '@/lib/broker/redis/script-reply';
import { type ClaimRef, type Failure, failureSchema } from '@/lib/contract/jobs/claim-options';
import {
  effectiveRetryRule,
  NO_RETRY_RULES,
  type RetryRules,
  retryDecision,
} from '@/lib/contract/jobs/retry-policy';
import { parseOrThrow } from '@/lib/contract/parse-or-throw';
import { fingerprint, NO_PRINT } from '../failure-fingerprint';
import { inBatches } from '../job-batches';
import { decodeEnvelope, ROWS_FIELDS } from '../job-row';
import { parseClaim } from '../read/stored-rows';

export type FailOutcome = 'retry' | 'dead' | 'already' | 'stale';
const OUTCOMES: Readonly<Record<number, FailOutcome>> = { 1: 'retry', 2: 'dead', 3: 'already', 0: 'stale' };
const NEVER = -1;

export interface FailItem extends ClaimRef {
  readonly failure: Failure;
}

/**
 * Ends failed runs: the job goes to `retry`, or dies. Callers that know the queue's retry rule pass its decision (`again`); for others,
 * such as workers over HTTP, it is applied here. Used-up attempts and an earlier deadline always make the job dead.
 */
export function failInShard(
  ctx: BrokerContext,
  queue: string,
  items: readonly FailItem[],
): Promise<FailOutcome[]> {
  return inBatches(items, 50, async (part) => {
    const checked = part.map((item) => ({
      ...item,
      failure: parseOrThrow(failureSchema, item.failure, 'failure'),
    }));
    const undecided = checked.filter(({ failure }) => failure.again === undefined);
    const decide = undecided.length > 0 ? await decider(ctx, queue, undecided) : null;
    const args = checked.flatMap((item) => {
      const { again, retryInMs = 0, errorClass, errorCode, message, stack } = item.failure;
      const delayMs = again === undefined ? (decide?.(item) ?? NEVER) : again ? retryInMs : NEVER;
      return [
        item.jobId,
        item.token,
        delayMs,
        errorClass,
        errorCode,
        errorJson(message, stack, printOf(message, stack)),
      ];
    });
    return replyOutcomes(await ctx.run('fail', queue, args), 'fail', OUTCOMES);
  });
}

function printOf(message: string, stack: string | undefined): string | undefined {
  const print = fingerprint(message, stack);
  return print === NO_PRINT ? undefined : print;
}

/** Applies the queue's rule. Reads the jobs only if their type or the number of the attempt makes a difference. */
async function decider(
  ctx: BrokerContext,
  queue: string,
  items: readonly FailItem[],
): Promise<(item: FailItem) => number | null> {
  const rules = await retryRules(ctx, queue);
  const depends = items.filter(({ failure }) => dependsOnJob(failure, rules));
  const runs = await runsOf(ctx, queue, depends);
  return ({ jobId, token, failure }) => {
    // Without the job: it was not asked for, or the claim is gone and the script will say so.
    const run = runs.get(jobId) ?? { jobType: '', attempt: Number.parseInt(token, 10), leaseLosses: 0 };
    return retryDecision({ ...failure, ...run }, effectiveRetryRule(rules, run.jobType), Math.random);
  };
}

function dependsOnJob(failure: Failure, rules: RetryRules): boolean {
  if (rules !== NO_RETRY_RULES) return true;
  return failure.retryInMs === undefined && effectiveRetryRule(rules, '').allows(failure.errorClass);
}

interface RunFacts {
  jobType: string;
  attempt: number;
  leaseLosses: number;
}

/** By job id; claims that are no longer held are left out. */
async function runsOf(
  ctx: BrokerContext,
  queue: string,
  items: readonly FailItem[],
): Promise<Map<string, RunFacts>> {
  const runs = new Map<string, RunFacts>();
  if (items.length === 0) return runs;
  const reply = replyList(
    await ctx.run('read-rows', queue, [0, ...items.map(({ jobId }) => jobId)]),
    'read-rows',
  ).map(replyText);
  items.forEach(({ jobId, token }, i) => {
    const [, head = '', row = ''] = reply.slice(i * ROWS_FIELDS, i * ROWS_FIELDS + 3);
    const claim = parseClaim(row);
    const envelope = decodeEnvelope(jobId, head);
    if (claim?.token === token && envelope)
      runs.set(jobId, {
        jobType: envelope.jobType,
        attempt: claim.attempt,
        leaseLosses: claim.losses,
      });
  });
  return runs;
}
