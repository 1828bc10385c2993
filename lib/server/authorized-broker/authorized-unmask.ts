/** Showing redacted values: one job at a time, with a reason, recorded before anything is shown. */
import type { z } from 'zod';
import type { reasonOnlySchema } from '@/lib/contract/access/access-schemas';
import {
  type AccessScope,
  FULL_SCOPE,
  intersectScopes,
  scopeCovers,
  scopeHasJob,
} from '@/lib/contract/access/grant-scopes';
import type { UnmaskedJob } from '@/lib/contract/jobs/job-schemas';
import { RedriveError } from '@/lib/contract/redrive-error';
import { type Principal, scopeOf } from '../authentication/principal';
import { requireJob, requirePartOfQueue, requireReauthentication } from '../authorization/require-permission';
import { getBroker } from '../console-broker';
import { type RequestContext, requestActor, requireQueue } from './request-context';

export function authorizedUnmask(context: RequestContext) {
  const { principal } = context;
  return {
    /** @throws RedriveError QUEUE_NOT_FOUND | JOB_NOT_FOUND | FORBIDDEN, and REDIS_UNAVAILABLE when it could not be recorded */
    async job(queue: string, jobId: string, body: z.output<typeof reasonOnlySchema>): Promise<UnmaskedJob> {
      requirePartOfQueue(principal, 'unmask', queue);
      await requireQueue(queue);
      const sees = (tenant: string) => scopeHasJob(scopeOf(principal, 'view'), queue, tenant);
      const job = await getBroker().inspect.unmasked(queue, jobId, sees);
      requireJob(principal, 'unmask', { queue, jobId, tenant: job.envelope.tenantId });
      const object = { kind: 'job', id: jobId } as const;
      await getBroker().audit.note(
        { action: 'job.unmask', object, queue, count: 1 },
        requestActor(context, body),
      );
      const { payload, payloadIsText, result, history } = job;
      return { payload, payloadIsText, result: result?.result ?? null, history };
    },
  };
}

/**
 * An edit that touches redacted values needs `unmask` for their queues. A move to a queue that shows them needs `destroy` as well, since
 * revealing is irreversible.
 * @param within where the operation may touch jobs
 * @throws RedriveError FORBIDDEN | REAUTHENTICATION_REQUIRED
 */
export function requireUnmask(
  principal: Principal,
  queues: readonly string[],
  { target }: { readonly target?: string | undefined },
  within: AccessScope = FULL_SCOPE,
): void {
  if (queues.length === 0) return;
  const moves = target !== undefined;
  const what = moves
    ? `This move shows values that are hidden where the jobs are, because ${target} has no such redaction rules. It is about`
    : 'This edit reads or writes values that are hidden. It is about';
  for (const permission of moves ? (['unmask', 'destroy'] as const) : (['unmask'] as const)) {
    const mine = scopeOf(principal, permission);
    const missingIn = queues.filter(
      (queue) => !scopeCovers(mine, intersectScopes(within, [{ queue, tenants: null }])),
    );
    if (missingIn.length === 0) continue;
    const where = `${missingIn.slice(0, 3).join(', ')}${missingIn.length > 3 ? ' and other queues' : ''}`;
    throw new RedriveError(
      'FORBIDDEN',
      `${what} jobs of ${where}, and needs the permission "${permission}" for them, which ${principal.name} does not have. Nothing was changed.`,
      { fields: [{ field: 'permission', message: `${permission} is missing` }] },
    );
  }
  if (moves) requireReauthentication(principal);
}
