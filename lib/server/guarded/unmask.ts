/** Looking at what is hidden: one job at a time, with a reason, on record before anything is shown. */
import type { z } from 'zod';
import type { reasonOnlySchema } from '@/lib/contract/access';
import { RedriveError } from '@/lib/contract/errors';
import type { UnmaskedJob } from '@/lib/contract/job';
import { covers, EVERYWHERE, hasJob, intersection, type Within } from '@/lib/contract/permissions';
import { needJob, needSomeOf } from '../access/need';
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
      const { payload, payloadIsText, result } = job;
      return { payload, payloadIsText, result: result?.result ?? null };
    },
  };
}

/**
 * An edit that reads or writes what is hidden in some queues is for those who may see it there.
 * @param within where the edit may touch jobs
 * @throws RedriveError FORBIDDEN
 */
export function needUnmaskIn(
  principal: Principal,
  queues: readonly string[],
  within: Within = EVERYWHERE,
): void {
  const mine = withinOf(principal, 'unmask');
  const closed = queues.filter((queue) => !covers(mine, intersection(within, [{ queue, tenants: null }])));
  if (closed.length === 0) return;
  const where = closed.slice(0, 3).join(', ');
  throw new RedriveError(
    'FORBIDDEN',
    `This edit reads or writes values that are hidden in ${where}${closed.length > 3 ? ' and other queues' : ''}. That needs the permission "unmask" for the jobs it is about, which ${principal.name} does not have. Nothing was changed.`,
    { fields: [{ field: 'permission', message: 'unmask is missing' }] },
  );
}
