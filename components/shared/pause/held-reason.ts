/** Why a job is held: a pause of its tenant or type, or a tenant limit. */
import { blockingPauses, pauseScopeLabel } from '@/lib/browser/queues/pause-scope';
import type { JobSummary } from '@/lib/contract/jobs/job-schemas';
import type { Pause } from '@/lib/contract/queues/pause-schemas';
import type { QueueConfig, TenantLimit } from '@/lib/contract/queues/queue-config';
import { revealHidden } from '@/lib/format/display-text';
import { duration } from '@/lib/format/duration';
import { fullNumber } from '@/lib/format/number';
import { rateText } from '@/lib/format/parse-units';
import { allOf, plural } from '@/lib/format/plural';

interface HeldReason {
  by: string;
  why: string;
}

/** Null: nothing holds the job any more. `config` is undefined while loading. */
export function heldReason(
  job: Pick<JobSummary, 'tenantId' | 'jobType'>,
  pauses: readonly Pause[],
  config: Pick<QueueConfig, 'tenantLimit' | 'tenantLimits'> | undefined,
): HeldReason | null {
  const blocking = blockingPauses(job, pauses);
  if (blocking.length > 0)
    return {
      by: `${plural(blocking.length, 'pause')} of ${allOf(blocking.map(({ scope }) => pauseScopeLabel(scope)))}`,
      why: allOf(blocking.map(whyPaused)),
    };
  const limit = config && tenantLimitOf(config, job.tenantId);
  if (!limit) return null;
  const parts = [
    limit.concurrency === null ? '' : `${fullNumber(limit.concurrency)} at once`,
    limit.rate === null ? '' : rateText(limit.rate.perSecond),
  ];
  return { by: `limit of tenant ${job.tenantId}`, why: parts.filter(Boolean).join(', ') };
}

function whyPaused({ until, since, reason, actor }: Pause): string {
  const time = until === null ? '' : `, for ${duration(until - since)}`;
  return `“${revealHidden(reason)}” (${revealHidden(actor)}${time})`;
}

/** The tenant's override or the limit per tenant. Null: none. */
function tenantLimitOf(
  config: Pick<QueueConfig, 'tenantLimit' | 'tenantLimits'>,
  tenant: string,
): TenantLimit | null {
  const limit = Object.hasOwn(config.tenantLimits, tenant) ? config.tenantLimits[tenant] : config.tenantLimit;
  return limit && (limit.rate || limit.concurrency) ? limit : null;
}
