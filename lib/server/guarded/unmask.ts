/** Looking at what is hidden: one job at a time, with a reason, on record before anything is shown. */
import type { z } from 'zod';
import type { reasonOnlySchema } from '@/lib/contract/access';
import { RedriveError } from '@/lib/contract/errors';
import type { UnmaskedJob } from '@/lib/contract/job';
import { covers, EVERYWHERE, hasJob, intersection, type Within } from '@/lib/contract/permissions';
import { needJob, needProof, needSomeOf } from '../access/need';
import { type Principal, withinOf } from '../access/principal';
import { getBroker } from '../broker';
import { actor, type Caller } from './caller';
import { requireQueue } from './exists';

export function guardedUnmask(caller: Caller) {
  const { principal } = caller;
  return {
    /** @throws RedriveError QUEUE_NOT_FOUND | JOB_NOT_FOUND | FORBIDDEN, and REDIS_UNAVAILABLE when it could not be recorded */
    async job(queue: string, jobId: string, body: z.output<typeof reasonOnlySchema>): Promise<UnmaskedJob> {
      needSomeOf(principal, 'unmask', queue);
      await requireQueue(queue);
      const sees = (tenant: string) => hasJob(withinOf(principal, 'view'), queue, tenant);
      const job = await getBroker().inspect.unmasked(queue, jobId, sees);
      needJob(principal, 'unmask', { queue, jobId, tenant: job.envelope.tenantId });
      const object = { kind: 'job', id: jobId } as const;
      await getBroker().audit.note({ action: 'job.unmask', object, queue, count: 1 }, actor(caller, body));
      const { payload, payloadIsText, result, history } = job;
      return { payload, payloadIsText, result: result?.result ?? null, history };
    },
  };
}

/**
 * An edit that reads or writes what is hidden in some queues is for those who may see it there. A move to where it is shown is, besides,
 * for those who may destroy, as other rules are: what was shown once is known.
 * @param within where the operation may touch jobs
 * @throws RedriveError FORBIDDEN | PROOF_NEEDED
 */
export function needUnmaskIn(
  principal: Principal,
  queues: readonly string[],
  { target }: { readonly target?: string | undefined },
  within: Within = EVERYWHERE,
): void {
  if (queues.length === 0) return;
  const moves = target !== undefined;
  const what = moves
    ? `This move shows values that are hidden where the jobs are, because ${target} has no such redaction rules. It is about`
    : 'This edit reads or writes values that are hidden. It is about';
  for (const permission of moves ? (['unmask', 'destroy'] as const) : (['unmask'] as const)) {
    const mine = withinOf(principal, permission);
    const closed = queues.filter((queue) => !covers(mine, intersection(within, [{ queue, tenants: null }])));
    if (closed.length === 0) continue;
    const where = `${closed.slice(0, 3).join(', ')}${closed.length > 3 ? ' and other queues' : ''}`;
    throw new RedriveError(
      'FORBIDDEN',
      `${what} jobs of ${where}, and needs the permission "${permission}" for them, which ${principal.name} does not have. Nothing was changed.`,
      { fields: [{ field: 'permission', message: `${permission} is missing` }] },
    );
  }
  if (moves) needProof(principal);
}
